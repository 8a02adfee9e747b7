import { columnKey, greatest, least, type Line, type PageLines } from '../layout/page.js';
import { hasSign, likenessOf } from '../layout/program-signs.js';
import type { BodyStyle } from './body-style.js';
import { markerOf } from './lists.js';

/** Signs below a title, or above and below it. */
const underline = /^([=\-~∼^"*+#_–—])\1{2,}$/u;
/** In characters: a longer line is no title. */
const longestTitle = 80;
/** In sizes of the text: how a title counts that such a line underlines. */
const largeTitle = 1.5;
const title = 1.3;
/** In lines: lines farther apart have an empty line between them. */
const emptyLine = 1.5;
/** In characters: lines of paragraphs are longer, except their last ones. */
const narrow = 60;
/** Words this far apart, in characters, stand in columns. */
const columns = /\S {3,}(?=\S)/;

/** Lines one below the other without an empty line between them. */
function stanzasOf(lines: readonly Line[], body: BodyStyle): Line[][] {
  const stanzas: Line[][] = [];
  let above: Line | undefined;
  for (const line of lines) {
    if (above?.mono === line.mono && isNext(above, line, body)) stanzas.at(-1)?.push(line);
    else stanzas.push([line]);
    above = line;
  }
  return stanzas;
}

function isNext(above: Line, line: Line, body: BodyStyle): boolean {
  return (
    columnKey(above) === columnKey(line) && line.y - above.y < emptyLine * body.leading * body.size
  );
}

/** True for lines with columns at one place, or for one such line with the rest of its last column below it. */
function isTable(lines: readonly Line[], left: number, advance: number): boolean {
  const placeOf = ({ text, x }: Line) => {
    const gap = columns.exec(text);
    return gap === null ? NaN : Math.round((x - left) / advance) + gap.index + gap[0].length;
  };
  const places = lines.map(placeOf);
  const begins = lines.map(({ x }) => Math.round((x - left) / advance));
  const isAt = (place: number, at: number) => places[at] === place || begins[at] === place;
  return places.some((place) => {
    const count = lines.filter((_, at) => isAt(place, at)).length;
    return count >= 2 && count >= 0.5 * lines.length;
  });
}

/** True for lines that are no paragraph: a program, a record, a drawing or a table, whose lines must stay apart. */
function isListing(lines: readonly Line[], above: Line | undefined): boolean {
  const [first] = lines;
  if (first === undefined || lines.some(({ bold, table }) => bold || table !== undefined))
    return false;
  const left = least(lines, (line) => line.x);
  const [advance = 0] = lines.map(({ x, right, text }) => (right - x) / text.length);
  if (isTable(lines, left, advance)) return true;
  if (lines.some((line) => markerOf(line) !== '')) return false;
  const width = Math.max(
    narrow * advance,
    greatest(lines, (line) => line.right - left),
  );
  const looks = lines.map(({ text, right }) =>
    likenessOf(text.trim(), right - left > 0.75 * width),
  );
  const sure = looks.filter((look) => look === 'sure').length;
  const like = looks.filter((look) => look === 'likely').length + sure;
  if (lines.length === 1) {
    const isIndented = above !== undefined && first.x > above.x + 1.5 * advance;
    const isAnnounced = above !== undefined && /:$/.test(above.text);
    return sure === 1 || (isAnnounced && (isIndented || like === 1));
  }
  // The first word of the next line would have fitted on each of them.
  const early = lines.slice(1).filter((below, at) => {
    const [word = ''] = below.text.trim().split(' ');
    return (lines[at]?.right ?? 0) - left + (word.length + 1.5) * advance < width;
  }).length;
  if (early <= 0.5 * (lines.length - 1)) return false;
  const signed = lines.filter(({ text }) => hasSign(text)).length;
  const letters = lines.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);
  const isDrawn = letters < 0.4 * lines.reduce((sum, { text }) => sum + text.length, 0);
  const isVerse = lines.length > 2 && early === lines.length - 1;
  return (
    isDrawn ||
    isVerse ||
    like >= 0.6 * lines.length ||
    (sure > 0 && (like >= 0.4 * lines.length || signed >= 0.6 * lines.length))
  );
}

/** Titles get the size that their underlines stand for, and these lines go. */
function readTitles(lines: readonly Line[], body: BodyStyle): Line[] {
  const dropped = new Set<Line>();
  for (const [at, line] of lines.entries()) {
    const [above, below] = [lines[at - 1], lines[at + 1]];
    const text = line.text.trim();
    const signs = below?.text.trim() ?? '';
    if (below === undefined || !underline.test(signs) || underline.test(text)) continue;
    if (!isNext(line, below, body) || Math.abs(line.x - below.x) > 1) continue;
    if (text.length > longestTitle || !/\p{L}{2}/u.test(text)) continue;
    if (signs.length < Math.min(0.7 * text.length, text.length - 2)) continue;
    const over = above?.text.trim() ?? '';
    const isFramed = underline.test(over) && over.startsWith(signs.charAt(0));
    // A longer line below a paragraph parts it from the next.
    const isBelowText = above !== undefined && !isFramed && isNext(above, line, body);
    if (isBelowText && signs.length > text.length + 6) continue;
    line.bold = true;
    line.size *= isFramed || signs.startsWith('=') ? largeTitle : title;
    dropped.add(below);
    if (isFramed && above !== undefined) dropped.add(above);
  }
  return lines.filter((line) => !dropped.has(line));
}

/**
 * Tells the parts of a document that is typed in one monospaced font, where type tells nothing: only listings stay
 * monospaced, and underlined titles count as larger type. The lines are changed.
 */
export function readTypedText(pages: readonly PageLines[], body: BodyStyle): PageLines[] {
  return pages.map((page) => {
    const lines = readTitles(page.lines, body);
    let above: Line | undefined;
    for (const stanza of stanzasOf(lines, body)) {
      const isKept = isListing(stanza, above);
      above = stanza.at(-1);
      for (const line of isKept ? [] : stanza) {
        const { x, right } = line;
        const text = line.text.trim().replaceAll(/(?<=\S) {2,}/g, ' ');
        Object.assign(line, { mono: false, text, segments: [{ text, x, right }] });
      }
    }
    return { ...page, lines };
  });
}
