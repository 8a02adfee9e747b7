import { AppError } from '../../../platform/errors.js';
import { isArray, Ref, type Dict, type PdfObject } from '../syntax/objects.js';
import { CodeRanges } from './code-ranges.js';
import { widthInText } from './width-in-text.js';

/** Elements of W or W2 that are looked at, those of inner arrays included. */
const maxElements = 200_000;

/**
 * A range that no font has. pdf.js makes an entry for each of its characters, up to where V8 ends the whole process:
 * so it must not come to see such a file.
 */
const beyondAllFonts = 0x100000;

/** Widths of a CID font by CID, in text space at size 1. */
export type WidthOfCid = (cid: number) => number;

/** From W and DW, for text that runs from left to right. */
export function horizontalWidths(font: Dict): WidthOfCid {
  const usual = font.number('DW') ?? 1000;
  const table = readTable(font, 'W', 1);
  return (cid) => widthInText(table.find(cid) ?? usual, 0.001);
}

/** From W2 and DW2, for text that runs from top to bottom: the way down, positive. */
export function verticalWidths(font: Dict): WidthOfCid {
  const usual = font.numbers('DW2')?.[1] ?? -1000;
  const table = readTable(font, 'W2', 3);
  return (cid) => widthInText(-(table.find(cid) ?? usual), 0.001);
}

interface Table {
  find(cid: number): number | undefined;
}

/**
 * Both forms, `c [w …]` and `from to w`, where each w is `count` numbers: one width, or a width down and the place of
 * the vertical origin, of which only the first is kept.
 */
function readTable(font: Dict, key: string, count: number): Table {
  const items = font.array(key) ?? [];
  const single = new Map<number, number>();
  const ranges = new CodeRanges<number>();
  let budget = maxElements;
  let at = 0;
  while (at + 1 < items.length && budget-- > 0) {
    const first = items[at];
    const second = items[at + 1];
    if (typeof first !== 'number') at++;
    else if (second !== undefined && isArray(second)) {
      const length = Math.min(second.length, budget);
      for (let index = 0; index < length; index += count) {
        const width = resolved(font, second[index]);
        if (typeof width === 'number') single.set(first + index / count, width);
      }
      budget -= length;
      at += 2;
    } else {
      const width = items[at + 2];
      if (typeof second === 'number' && typeof width === 'number') {
        if (second - first > beyondAllFonts) {
          throw new AppError(
            'damaged',
            'A font of the PDF has more characters than there can be. Print the PDF to a new PDF and upload that.',
          );
        }
        ranges.add(first, second, width);
      }
      at += 2 + count;
    }
  }
  return { find: (cid) => single.get(cid) ?? ranges.find(cid)?.value };
}

function resolved(font: Dict, value: PdfObject | undefined): PdfObject | undefined {
  return value instanceof Ref ? font.resolver.resolve(value) : value;
}
