import type { App } from '../platform/app.js';
import { findCited, type CitedEntry } from '../knowledge/entries.repository.js';
import { addressOfText } from '../knowledge/address-of-text.js';
import { fileNameOf } from '../knowledge/entry.js';
import { headingsOf } from '../knowledge/show-links.js';
import { withoutEscapes } from '../platform/text/escape-markdown.js';
import { showFootnotes } from '../platform/text/footnotes.js';
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
  const sources = cited.map(async (passage, index): Promise<Source[]> => {
    const entry = entries.get(passage.entryId);
    // The entry was deleted while the answer was made, so it is not cited.
    if (entry === undefined) return [];
    const quote = quotes.get(passage.id) ?? '';
    return [
      {
        number: index + 1,
        entryUuid: entry.uuid,
        version: present.has(passage.id) ? entry.version : 0,
        visibility: entry.visibility,
        urlPattern: passage.urlPattern,
        excerpt: excerptOf(passage.body, quote),
        pageFrom: passage.pageFrom,
        pageTo: passage.pageTo,
        document: entry.document === null ? null : fileNameOf(entry.document),
        ...(await placeOf(app, entry, passage, quote)),
      },
    ];
  });
  return (await Promise.all(sources)).flat();
}

/**
 * The place of a quotation, or of the passage without one. Below a heading within the passage the title names this
 * heading too. `anchor` is the place in a document without an address.
 */
async function placeOf(
  app: App,
  entry: CitedEntry,
  { entryId, title, body, pageFrom }: FoundPassage,
  quote: string,
): Promise<Pick<Source, 'title' | 'url' | 'anchor'>> {
  const [first = ''] = quote.trim().split('\n');
  const above = first === '' ? '' : body.slice(0, Math.max(0, body.indexOf(first)));
  const heading = [...above.matchAll(/(?:^|\n)#{1,6}\s+(.*)/g)].at(-1);
  const text = withoutEscapes(heading?.[1] ?? '');
  const name = text.replace(/^[\d.]+\s+/, '');
  const [named] = Object.entries(headingsOf(entry)).find(([, each]) => each === text) ?? [];
  const isOwn = heading === undefined || heading.index === 0 || title.endsWith(name);
  const part = named === undefined && isOwn ? paragraphOf(entry.sourceAnchor) : name;
  const sourceAnchor = named ?? entry.sourceAnchor;
  const place = { id: entryId, sourceUrl: entry.sourceUrl, sourceAnchor, pageFrom };
  return {
    title: joinTitles(title, part),
    url: await addressOfText(app, place, quote || body),
    anchor: sourceAnchor ?? undefined,
  };
}

function joinTitles(title: string, part: string | undefined): string {
  return part === undefined || title.endsWith(part) ? title : `${title} · ${part}`;
}

/** "¶ 12" for a place without a heading; undefined for the beginning, and for other places. */
function paragraphOf(anchor: string | null): string | undefined {
  const [, number = '1'] = /^paragraph-(\d+)$/.exec(anchor ?? '') ?? [];
  return number === '1' ? undefined : `¶ ${number}`;
}

function excerptOf(body: string, quote: string): string {
  // The title already contains the headings.
  const text = onOneLine(showFootnotes(body.replaceAll(/^#{1,6}\s.*$/gm, '')));
  const quoted = onOneLine(showFootnotes(quote));
  const at = text.indexOf(quoted);
  if (at <= 0 || at + quoted.length <= excerptLength) return shorten(text, excerptLength);
  return `…${shorten(text.slice(at), excerptLength - 1)}`;
}
