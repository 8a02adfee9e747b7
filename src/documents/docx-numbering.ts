import { childrenOf, type Element } from './tree.js';
import { valueOf } from './docx-styles.js';

interface Level {
  format: string;
  /** "%1.%2." */
  text: string;
  start: number;
}

/** Counts the paragraphs of Word's lists and numbered headings, as Word shows them. */
export class Numbering {
  /** The levels by the number of a list, the abstract list that counts for several, and the levels that begin anew. */
  readonly #lists = new Map<string, { counter: string; levels: Level[]; anew: Set<number> }>();
  readonly #counts = new Map<string, number[]>();

  constructor(root: Element | undefined) {
    const numbering = root === undefined ? undefined : childrenOf(root, 'w:numbering')[0];
    if (numbering === undefined) return;
    const abstract = new Map(
      childrenOf(numbering, 'w:abstractNum').map((one) => [
        one.attributes['w:abstractNumId'] ?? '',
        childrenOf(one, 'w:lvl').map(readLevel),
      ]),
    );
    for (const list of childrenOf(numbering, 'w:num')) {
      const id = list.attributes['w:numId'] ?? '';
      const of = valueOf(list, 'w:abstractNumId') ?? '';
      const levels = [...(abstract.get(of) ?? [])];
      const anew = new Set<number>();
      for (const override of childrenOf(list, 'w:lvlOverride')) {
        const at = Number(override.attributes['w:ilvl'] ?? 0);
        const start = Number(valueOf(override, 'w:startOverride'));
        const level = levels[at];
        if (level === undefined || !Number.isFinite(start)) continue;
        levels[at] = { ...level, start };
        anew.add(at);
      }
      this.#lists.set(id, { counter: of, levels, anew });
    }
  }

  /** The mark of the next paragraph of a list: "3.", "b)", "-" for a bullet; undefined for one without a mark. */
  next({ numId, level }: { numId: string; level: number }): string | undefined {
    const list = this.#lists.get(numId);
    const own = list?.levels[level];
    if (list === undefined || own === undefined) return numId === '0' ? undefined : '-';
    const counts = this.#counts.get(list.counter) ?? [];
    this.#counts.set(list.counter, counts);
    // It begins anew once; what follows of the other lists goes on from there.
    if (list.anew.delete(level)) counts.length = level;
    counts[level] = (counts[level] ?? own.start - 1) + 1;
    counts.length = level + 1;
    if (own.format === 'bullet') return '-';
    if (own.format === 'none') return undefined;
    const mark = own.text.replaceAll(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const { format, start } = list.levels[at] ?? own;
      return write(counts[at] ?? start, format);
    });
    return mark.trim() === '' ? undefined : mark.trim();
  }
}

function readLevel(level: Element): Level {
  return {
    format: valueOf(level, 'w:numFmt') ?? 'decimal',
    text: valueOf(level, 'w:lvlText') ?? '',
    start: Number(valueOf(level, 'w:start') ?? 1),
  };
}

function write(count: number, format: string): string {
  if (/letter$/i.test(format) && count >= 1 && count <= 26) {
    const letter = String.fromCharCode(96 + count);
    return format === 'upperLetter' ? letter.toUpperCase() : letter;
  }
  if (/roman$/i.test(format) && count >= 1 && count < 100) {
    const roman = writeRoman(count);
    return format === 'upperRoman' ? roman.toUpperCase() : roman;
  }
  return String(count);
}

/** Below 100. */
export function writeRoman(number: number): string {
  const tens = ['', 'x', 'xx', 'xxx', 'xl', 'l', 'lx', 'lxx', 'lxxx', 'xc'];
  const ones = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'];
  return (tens[Math.floor(number / 10)] ?? '') + (ones[number % 10] ?? '');
}
