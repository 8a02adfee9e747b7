import type { Line, PageLines } from '../layout/page.js';
import type { BodyStyle } from './body-style.js';
import type { Block } from './block.js';

const startsNote = /^(\d{1,3}|[*†‡§])\s*\S/;
const startsNextNote = /^(\d{1,3}|[*†‡§])\s*\p{L}/u;

/** How many of a page's last lines are footnotes: in smaller type, and the first of them begins with a mark. */
export function countFootnoteLines(page: PageLines, body: BodyStyle): number {
  let count = 0;
  for (let at = page.lines.length - 1; at >= 0; at--) {
    const line = page.lines[at];
    if (
      line === undefined ||
      line.table !== undefined ||
      line.size > 0.92 * body.size ||
      line.y < 0.5 * page.height ||
      line.mono
    )
      break;
    count++;
  }
  const first = page.lines[page.lines.length - count];
  return first !== undefined && startsNote.test(first.text) ? count : 0;
}

/** The lines of each footnote among those at the end of a page. */
export function splitNotes(lines: readonly Line[]): Line[][] {
  const notes: Line[][] = [];
  for (const line of lines) {
    if (notes.length === 0 || startsNextNote.test(line.text)) notes.push([]);
    notes.at(-1)?.push(line);
  }
  return notes;
}

/**
 * Writes the marks of a page's footnotes as `[^2]` where its font has raised figures of its own, so that nothing but
 * the footnote tells them from other numbers: "in normal mode.2".
 */
export function markNotes(lines: readonly Line[], notes: readonly Line[][]): void {
  for (const [first] of notes) {
    const number = /^\d{1,3}/.exec(first?.text ?? '')?.[0];
    if (number === undefined || lines.some((line) => line.text.includes(`[^${number}]`))) continue;
    const mark = new RegExp(`(\\p{L}{3}[.,;:!?)”"»’“]+)${number}(?=\\s|$)`, 'u');
    const [line, another] = lines.filter((each) => !each.mono && mark.test(each.text));
    if (line !== undefined && another === undefined) {
      line.text = line.text.replace(mark, `$1[^${number}]`);
    }
  }
}

/** A footnote as Markdown has it: `[^2]: See the manual.` */
export function writeNote(text: string): string {
  return text.replace(/^(\d{1,3})\s*(?=\S)/, '[^$1]: ').replaceAll('\u00ad', '');
}

/**
 * Where a footnote belongs among the blocks before it: at the end of the section that refers to it. Its own page may
 * have gone on to the next section since. Nothing when that section is the last one, which may still go on.
 */
export function placeOfNote(blocks: readonly Block[], note: Block): number | undefined {
  const mark = /^\[\^\d+\]/.exec(note.text)?.[0];
  if (mark === undefined) return undefined;
  let place: number | undefined;
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block === undefined || block.pageTo < note.pageFrom) return undefined;
    if (block.kind === 'heading') place = at;
    else if (block.kind !== 'note' && block.text.includes(mark)) return place;
  }
  return undefined;
}
