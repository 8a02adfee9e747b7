import { breakLines, widthsOf, type Measure } from './break-lines.js';
import { markLine, type LayOutTable, type Mark } from './lay-out-blocks.js';
import { colors, styles, textWidth, type TextStyle } from './page-style.js';
import type { Run } from './read-manual.js';

const padding = { x: 6, y: 3 };

/** Draws a table with a shaded header row and a rule under each row. */
export const layOutTable: LayOutTable = ({ header, rows }, measure) => {
  const widths = columnWidths([header, ...rows], measure);
  const marks: Mark[] = [];
  let y = 0;
  for (const [index, row] of [header, ...rows].entries()) {
    const style = index === 0 ? styles.headerCell : styles.cell;
    const laidOut = layOutRow(row, widths, y, style, measure);
    if (index === 0) {
      marks.push({
        kind: 'box',
        x: 0,
        y,
        width: textWidth,
        height: laidOut.height,
        color: colors.shade,
      });
    }
    marks.push(...laidOut.marks);
    y += laidOut.height;
    marks.push({ kind: 'rule', x: 0, y, width: textWidth, color: colors.rule });
  }
  return { height: y + 4, marks };
};

function layOutRow(
  row: Run[][],
  widths: number[],
  y: number,
  style: TextStyle,
  measure: Measure,
): { height: number; marks: Mark[] } {
  let x = 0;
  let tallest = 1;
  const marks = row.flatMap((cell, column) => {
    const width = widths[column] ?? 0;
    const lines = breakLines(cell, style, width - 2 * padding.x, measure);
    tallest = Math.max(tallest, lines.length);
    const left = x + padding.x;
    x += width;
    return lines.flatMap((line, index) =>
      markLine(line, left, y + padding.y + 1 + index * style.leading, style),
    );
  });
  return { height: tallest * style.leading + 2 * padding.y, marks };
}

/**
 * Each column gets at least its longest word, and of the rest a share by how much more its longest cell
 * would need.
 */
function columnWidths(rows: Run[][][], measure: Measure): number[] {
  const columns = (rows[0] ?? []).map((_, column) => {
    const cells = rows.map((row, index) => {
      const style = index === 0 ? styles.headerCell : styles.cell;
      return widthsOf(row[column] ?? [], style, measure);
    });
    // A hair more than measured: sums of the same widths in another order differ in the last digits.
    const extra = 2 * padding.x + 0.01;
    return {
      least: Math.max(...cells.map((cell) => cell.word)) + extra,
      full: Math.max(...cells.map((cell) => cell.line)) + extra,
    };
  });
  const least = columns.reduce((sum, column) => sum + column.least, 0);
  const wanted = columns.reduce((sum, column) => sum + column.full - column.least, 0);
  const share = wanted === 0 ? 0 : Math.min(1, (textWidth - least) / wanted);
  const widths = columns.map((column) => column.least + share * (column.full - column.least));
  // What is left over goes to all columns alike, by their widths: none drifts away from its neighbours.
  const stretch = Math.max(1, textWidth / widths.reduce((sum, width) => sum + width, 0));
  return widths.map((width) => width * stretch);
}
