import type { App } from '../platform/app.js';
import { findNames } from '../knowledge/entries.repository.js';
import { fileNameOf } from '../knowledge/entry.js';
import { onOneLine, shorten } from '../platform/text/shorten.js';
import type { FoundPassage } from '../retrieval/search-passages.js';
import type { Source } from './answer.js';

const excerptLength = 240;

/**
 * The passages that an answer cites as its sources, in the order of their numbers. An excerpt shows what `quotes` has of
 * its passage, however far down in it that stands.
 */
export async function citeSources(
  app: App,
  cited: FoundPassage[],
  quotes: ReadonlyMap<number, string>,
): Promise<Source[]> {
  const names = await findNames(
    app,
    cited.map((passage) => passage.entryId),
  );
  return cited.flatMap((passage, index) => {
    const named = names.get(passage.entryId);
    // Deleted while the answer was made: what is gone is no source any more.
    if (named === undefined) return [];
    const { uuid: entryUuid, document } = named;
    return {
      number: index + 1,
      entryUuid,
      title: passage.title,
      urlPattern: passage.urlPattern,
      excerpt: excerptOf(passage.body, quotes.get(passage.id) ?? ''),
      pageFrom: passage.pageFrom,
      pageTo: passage.pageTo,
      document: document === null ? null : fileNameOf(document),
    };
  });
}

function excerptOf(body: string, quote: string): string {
  // Headings are in the title already.
  const text = onOneLine(body.replaceAll(/^#{1,6}\s.*$/gm, ''));
  const quoted = onOneLine(quote);
  const at = text.indexOf(quoted);
  if (at <= 0 || at + quoted.length <= excerptLength) return shorten(text, excerptLength);
  return `…${shorten(text.slice(at), excerptLength - 1)}`;
}
