import type { App } from '../platform/app.js';
import { findEntriesById } from '../knowledge/entries.repository.js';
import type { FoundPassage } from '../retrieval/search-passages.js';
import type { Source } from './answer.js';

const excerptLength = 240;

/** The passages that an answer cites as its sources, in the order of their numbers. */
export async function citeSources(app: App, cited: FoundPassage[]): Promise<Source[]> {
  const entries = await findEntriesById(
    app,
    cited.map((passage) => passage.entryId),
  );
  return cited.map((passage, index) => {
    // Headings are in the title already.
    const text = passage.body
      .replaceAll(/^#{1,6}\s.*$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return {
      number: index + 1,
      entryUuid: entries.find((entry) => entry.id === passage.entryId)?.uuid ?? '',
      title: passage.title,
      urlPattern: passage.urlPattern,
      excerpt: text.length > excerptLength ? `${text.slice(0, excerptLength).trimEnd()}…` : text,
      pageFrom: passage.pageFrom,
      pageTo: passage.pageTo,
    };
  });
}
