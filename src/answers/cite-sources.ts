import type { App } from '../platform/app.js';
import { findCited } from '../knowledge/entries.repository.js';
import { addressOfPlace, fileNameOf } from '../knowledge/entry.js';
import { withoutEscapes } from '../platform/text/escape-markdown.js';
import { onOneLine, shorten } from '../platform/text/shorten.js';
import { findPresent } from '../search/passages/passages.repository.js';
import type { FoundPassage } from '../search/search-passages.js';
import type { Source } from './answer.js';

const excerptLength = 240;

/** The sources that an answer cites, by number. An excerpt shows the quotation in `quotes`, if there is one. */
export async function citeSources(
  app: App,
  cited: FoundPassage[],
  quotes: ReadonlyMap<number, string>,
): Promise<Source[]> {
  const entries = await findCited(
    app,
    cited.map((passage) => passage.entryId),
  );
  // Read this after the versions: a passage that still exists then belongs to the version that was read.
  const present = await findPresent(
    app,
    cited.map(({ id }) => id),
  );
  return cited.flatMap((passage, index) => {
    const entry = entries.get(passage.entryId);
    // The entry was deleted while the answer was made, so it is not cited.
    if (entry === undefined) return [];
    return {
      number: index + 1,
      entryUuid: entry.uuid,
      version: present.has(passage.id) ? entry.version : 0,
      visibility: entry.visibility,
      title: passage.title,
      urlPattern: passage.urlPattern,
      excerpt: excerptOf(passage.body, quotes.get(passage.id) ?? ''),
      pageFrom: passage.pageFrom,
      pageTo: passage.pageTo,
      document: entry.document === null ? null : fileNameOf(entry.document),
      url: addressOfPlace(
        { ...entry, pageFrom: passage.pageFrom },
        wordsBelowHeading(passage.body, quotes.get(passage.id) ?? ''),
      ),
      anchor: entry.sourceAnchor ?? undefined,
    };
  });
}

/**
 * The first words of a quotation that stands below a heading within the passage: that heading is not the one that the
 * entry's place names.
 */
function wordsBelowHeading(body: string, quote: string): string | undefined {
  const [first = ''] = quote.trim().split('\n');
  const at = first === '' ? -1 : body.indexOf(first);
  if (at <= 0 || !/\n#{1,6}\s/.test(body.slice(0, at))) return undefined;
  const words = withoutEscapes(first).replace(/^(?:[-*+>]|\d+[.)])\s+/, '');
  return words.split(/\s+/).slice(0, 6).join(' ');
}

function excerptOf(body: string, quote: string): string {
  // The title already contains the headings.
  const text = onOneLine(body.replaceAll(/^#{1,6}\s.*$/gm, ''));
  const quoted = onOneLine(quote);
  const at = text.indexOf(quoted);
  if (at <= 0 || at + quoted.length <= excerptLength) return shorten(text, excerptLength);
  return `…${shorten(text.slice(at), excerptLength - 1)}`;
}
