import { breakLines, type Measure, type Span } from './break-lines.js';
import { colors, page, styles, textWidth, type FontName, type TextStyle } from './page-style.js';
import type { Block, Heading, Run } from './read-manual.js';

/** Something to draw, in points from the upper left corner of its strip (x: of the text area). */
export type Mark =
  | {
      kind: 'text';
      x: number;
      y: number;
      text: string;
      font: FontName;
      size: number;
      color: string;
    }
  | { kind: 'box'; x: number; y: number; width: number; height: number; color: string }
  | { kind: 'picture'; x: number; y: number; width: number; path: string }
  | { kind: 'rule'; x: number; y: number; width: number; color: string };

/** A horizontal strip of the text that is never split between pages. */
export interface Strip {
  height: number;
  /** Left out at the top of a page. */
  spaceBefore: number;
  /** Must stand on one page with the strip that follows. */
  keepWithNext: boolean;
  startsPage: boolean;
  heading?: Heading;
  marks: Mark[];
}

/** The strips of a table are one, as those of a code block and of a note are. */
export type LayOutTable = (
  table: Extract<Block, { kind: 'table' }>,
  measure: Measure,
) => Pick<Strip, 'height' | 'marks'>;

/** The height of a picture that is one wide. */
export type RatioOf = (path: string) => number;

/** Lays blocks out as strips of the text area's width, in order. */
export function layOutBlocks(
  blocks: Block[],
  measure: Measure,
  layOutTable: LayOutTable,
  ratioOf: RatioOf,
): Strip[] {
  return blocks.flatMap((block, index) => {
    switch (block.kind) {
      case 'heading':
        return [layOutHeading(block, measure)];
      case 'paragraph': {
        const strips = layOutParagraph(block.runs, 0, 5, measure);
        return introduces(blocks[index + 1]) ? strips.map(keptWithNext) : strips;
      }
      case 'note':
        return [whole(layOutNote(block.runs, measure), 9)];
      case 'list':
        return layOutList(block, measure);
      case 'code':
        return [whole(layOutCode(block.lines, measure), 8)];
      case 'picture':
        return [whole(layOutPicture(block, ratioOf, measure), 9)];
      case 'table':
        return [whole(layOutTable(block, measure), 9)];
    }
  });
}

/** One line's marks, with its first baseline box at `y`. */
export function markLine(spans: Span[], x: number, y: number, style: TextStyle): Mark[] {
  const { size, color } = style;
  return spans.map((span) => {
    return { kind: 'text', x: x + span.x, y, text: span.text, font: span.font, size, color };
  });
}

function layOutHeading(heading: Heading, measure: Measure): Strip {
  const style =
    ([styles.part, styles.chapter, styles.section] as const)[heading.level - 1] ?? styles.section;
  const text = heading.number === '' ? heading.text : `${heading.number} ${heading.text}`;
  const lines = breakLines([{ text, style: 'text' }], style, textWidth, measure);
  const marks = lines.flatMap((line, index) => markLine(line, 0, index * style.leading, style));
  let height = lines.length * style.leading;
  if (heading.level < 3) {
    marks.push({ kind: 'rule', x: 0, y: height + 2, width: textWidth, color: colors.rule });
    height += 5;
  }
  const spaceBefore = heading.level === 2 ? 20 : 12;
  return {
    height,
    spaceBefore,
    keepWithNext: true,
    startsPage: heading.level === 1,
    heading,
    marks,
  };
}

/** A strip for each line, tied so that no page begins or ends with a single line of a paragraph. */
function layOutParagraph(
  runs: Run[],
  indent: number,
  spaceBefore: number,
  measure: Measure,
): Strip[] {
  const style = styles.body;
  const lines = breakLines(runs, style, textWidth - indent, measure);
  return lines.map((line, index) => ({
    height: style.leading,
    spaceBefore: index === 0 ? spaceBefore : 0,
    keepWithNext:
      lines.length - index > 1 && (index === 0 || index >= lines.length - 2 || lines.length < 4),
    startsPage: false,
    marks: markLine(line, indent, 0, style),
  }));
}

function layOutList(list: Extract<Block, { kind: 'list' }>, measure: Measure): Strip[] {
  const style = styles.body;
  const indent = 18;
  return list.items.flatMap((item, index) => {
    const strips = layOutParagraph(item, indent, index === 0 ? 5 : 3, measure);
    const sign = { text: list.ordered ? `${index + 1}.` : '•', font: style.fonts.text, x: 0 };
    strips[0]?.marks.unshift(...markLine([sign], 4, 0, style));
    // The first item stays with the second, so that no list leaves its beginning behind alone.
    return index === 0 && list.items.length > 1 ? strips.map(keptWithNext) : strips;
  });
}

function layOutNote(runs: Run[], measure: Measure): Pick<Strip, 'height' | 'marks'> {
  const style = styles.body;
  const lines = breakLines(runs, style, textWidth - 28, measure);
  const height = lines.length * style.leading + 14;
  const box = { kind: 'box', x: 0, y: 0, height } as const;
  const text = lines.flatMap((line, index) => markLine(line, 14, 7 + index * style.leading, style));
  return {
    height,
    marks: [
      { ...box, width: textWidth, color: colors.shade },
      { ...box, width: 3, color: colors.accent },
      ...text,
    ],
  };
}

function layOutCode(lines: string[], measure: Measure): Pick<Strip, 'height' | 'marks'> {
  const style = styles.code;
  const font = style.fonts.text;
  const height = lines.length * style.leading + 12;
  const text = lines.flatMap((line, index) => {
    if (measure(line, font, style.size) > textWidth - 20)
      throw new Error(`Too long a line: ${line}`);
    return markLine([{ text: line, font, x: 0 }], 10, 7 + index * style.leading, style);
  });
  const box: Mark = { kind: 'box', x: 0, y: 0, width: textWidth, height, color: colors.shade };
  return { height, marks: [box, ...text] };
}

function layOutPicture(
  { path, caption }: Extract<Block, { kind: 'picture' }>,
  ratioOf: RatioOf,
  measure: Measure,
): Pick<Strip, 'height' | 'marks'> {
  const style = styles.cell;
  const height = textWidth * ratioOf(path) + 4;
  const lines = breakLines([{ text: caption, style: 'italic' }], style, textWidth, measure);
  const text = lines.flatMap((line, index) =>
    markLine(line, 0, height + index * style.leading, style),
  );
  return {
    height: height + lines.length * style.leading,
    marks: [{ kind: 'picture', x: 0, y: 0, width: textWidth, path }, ...text],
  };
}

function whole(laidOut: Pick<Strip, 'height' | 'marks'>, spaceBefore: number): Strip {
  if (laidOut.height > page.bottom - page.top)
    throw new Error('A table or code block is longer than a page.');
  return { ...laidOut, spaceBefore, keepWithNext: false, startsPage: false };
}

function keptWithNext(strip: Strip): Strip {
  return { ...strip, keepWithNext: true };
}

function introduces(next: Block | undefined): boolean {
  return next?.kind === 'table' || next?.kind === 'code' || next?.kind === 'list';
}
