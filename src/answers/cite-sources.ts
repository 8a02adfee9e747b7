import type { App } from '../platform/app.js';
import { findCited, type CitedEntry } from '../knowledge/entries.repository.js';
import { addressOfPlace, fileNameOf } from '../knowledge/entry.js';
import { headingsOf } from '../knowledge/show-links.js';
import { withoutEscapes } from '../platform/text/escape-markdown.js';
import { showFootnotes, withoutFootnoteSigns } from '../platform/text/footnotes.js';
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
    const quote = quotes.get(passage.id) ?? '';
    const { title, url, anchor } = placeOf(entry, passage, quote);
    return {
      number: index + 1,
      entryUuid: entry.uuid,
      version: present.has(passage.id) ? entry.version : 0,
      visibility: entry.visibility,
      title,
      urlPattern: passage.urlPattern,
      excerpt: excerptOf(passage.body, quote),
      pageFrom: passage.pageFrom,
      pageTo: passage.pageTo,
      document: entry.document === null ? null : fileNameOf(entry.document),
      url,
      anchor,
    };
  });
}

/**
 * The place of a quotation. Below a heading within the passage the title names this heading too, and the address is that
 * of the heading or, where it has none, of the quotation's first words. `anchor` is the place in a document without an
 * address.
 */
function placeOf(
  entry: CitedEntry,
  { title, body, pageFrom }: FoundPassage,
  quote: string,
): Pick<Source, 'title' | 'url' | 'anchor'> {
  const place = { ...entry, pageFrom };
  const [first = ''] = quote.trim().split('\n');
  const above = first === '' ? '' : body.slice(0, Math.max(0, body.indexOf(first)));
  const heading = [...above.matchAll(/(?:^|\n)#{1,6}\s+(.*)/g)].at(-1);
  const text = withoutEscapes(heading?.[1] ?? '');
  const name = text.replace(/^[\d.]+\s+/, '');
  const [named] = Object.entries(headingsOf(entry)).find(([, each]) => each === text) ?? [];
  const anchor = named ?? entry.sourceAnchor ?? undefined;
  if (named !== undefined) {
    const url = addressOfPlace({ ...place, sourceAnchor: named });
    return { title: joinTitles(title, name), url, anchor };
  }
  if (heading === undefined || heading.index === 0 || title.endsWith(name)) {
    const paragraph = paragraphOf(entry.sourceAnchor);
    return { title: joinTitles(title, paragraph), url: addressOfPlace(place), anchor };
  }
  const words = withoutEscapes(withoutFootnoteSigns(first)).replace(/^(?:[-*+>]|\d+[.)])\s+/, '');
  const url = addressOfPlace(place, words.split(/\s+/).slice(0, 6).join(' '));
  return { title: joinTitles(title, name), url, anchor };
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
