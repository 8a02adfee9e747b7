import type { App } from '../platform/app.js';
import { findUuids } from '../knowledge/entries.repository.js';
import { shorten } from '../platform/text/shorten.js';
import type { FoundPassage } from '../retrieval/search-passages.js';
import type { Source } from './answer.js';

const excerptLength = 240;

/** The passages that an answer cites as its sources, in the order of their numbers. */
export async function citeSources(app: App, cited: FoundPassage[]): Promise<Source[]> {
  const uuids = await findUuids(
    app,
    cited.map((passage) => passage.entryId),
  );
  return cited.flatMap((passage, index) => {
    const entryUuid = uuids.get(passage.entryId);
    // Deleted while the answer was made: what is gone is no source any more.
    if (entryUuid === undefined) return [];
    // Headings are in the title already.
    const text = passage.body.replaceAll(/^#{1,6}\s.*$/gm, '');
    return {
      number: index + 1,
      entryUuid,
      title: passage.title,
      urlPattern: passage.urlPattern,
      excerpt: shorten(text, excerptLength),
      pageFrom: passage.pageFrom,
      pageTo: passage.pageTo,
    };
  });
}
