import { childrenOf, findElement, isElement, type Element } from './tree.js';

export interface Table {
  caption: Element | undefined;
  rows: Element[][];
  /** The number of first rows that are its heading. */
  headRows: number;
}

/** More columns than this are a drawing or an attack. */
const mostColumns = 60;
const mostSpan = 1000;

/** The rows of a table with merged cells spread: a cell over several rows is repeated in each, so that rows stay complete. */
export function readTable(element: Element): Table {
  const sections = element.children.flatMap((child): { row: Element; isHead: boolean }[] => {
    if (!isElement(child)) return [];
    if (child.name === 'tr') return [{ row: child, isHead: false }];
    if (child.name !== 'thead' && child.name !== 'tbody' && child.name !== 'tfoot') return [];
    return childrenOf(child, 'tr').map((row) => ({ row, isHead: child.name === 'thead' }));
  });
  const rows: Element[][] = [];
  let headRows = 0;
  /** Cells from rows above that reach down, by column, with the number of rows left. */
  let reaching = new Map<number, { cell: Element; left: number }>();
  for (const { row, isHead } of sections) {
    const cells: Element[] = [];
    const next = new Map<number, { cell: Element; left: number }>();
    const takeReaching = () => {
      for (let from = reaching.get(cells.length); from; from = reaching.get(cells.length)) {
        if (from.left > 1) next.set(cells.length, { cell: from.cell, left: from.left - 1 });
        cells.push(from.cell);
      }
    };
    const own = childrenOf(row, 'td', 'th');
    for (const cell of own) {
      takeReaching();
      const width = Math.min(mostColumns, spanOf(cell, 'colspan'));
      const height = spanOf(cell, 'rowspan');
      for (let at = 0; at < width && cells.length < mostColumns; at++) {
        const shown = at === 0 ? cell : emptyCell;
        if (height > 1) next.set(cells.length, { cell: shown, left: height - 1 });
        cells.push(shown);
      }
    }
    takeReaching();
    reaching = next;
    const isHeading = isHead || (own.length > 1 && own.every(({ name }) => name === 'th'));
    if (isHeading && headRows === rows.length) headRows++;
    rows.push(cells);
  }
  return { caption: childrenOf(element, 'caption')[0], rows, headRows };
}

const emptyCell: Element = { name: 'td', attributes: {}, children: [] };

function spanOf({ attributes }: Element, name: string): number {
  const span = Number.parseInt(attributes[name] ?? '1', 10);
  return Number.isFinite(span) ? Math.min(mostSpan, Math.max(1, span)) : 1;
}

/** True for a table that only places things on a page: its cells hold headings, code or other tables. */
export function isLayout(element: Element, { rows }: Table): boolean {
  const role = element.attributes['role'];
  if (role === 'presentation' || role === 'none') return true;
  if (rows.every((row) => row.length < 2)) return true;
  const places = /^(?:table|h[1-6]|pre|dl|section|article|main|nav)$/;
  return findElement(element, ({ name }) => places.test(name)) !== undefined;
}

/** A table in Markdown; empty for one without text. Each cell is written once, however many rows it spans. */
export function writeCells({ headRows, rows }: Table, write: (cell: Element) => string): string {
  const written = new Map<Element, string>();
  const cells = rows.map((row) =>
    row.map((cell) => {
      const text = written.get(cell) ?? write(cell);
      written.set(cell, text);
      return text;
    }),
  );
  const isEmpty = cells.every((row) => row.every((cell) => cell === ''));
  return isEmpty ? '' : renderCells(cells, headRows);
}

/** Cells of Markdown as a table. Two columns without a heading row are a list of terms, as in PDFs. */
function renderCells(cells: readonly string[][], headRows: number): string {
  const width = cells.reduce((most, row) => Math.max(most, row.length), 0);
  const isKept = (column: number) => cells.some((row) => (row[column] ?? '') !== '');
  const columns = Array.from({ length: width }, (_, column) => column).filter(isKept);
  const filled = cells.map((row) => columns.map((column) => row[column] ?? ''));
  const body = filled.slice(headRows).filter((row) => row.some((cell) => cell !== ''));
  const head = headOf(filled.slice(0, headRows), columns.length);
  if (headRows === 0 && columns.length === 2) {
    return body
      .map(([term = '', text = '']) => {
        const colon = term === '' || text === '' || /[:：](?:\]\([^()]*\))?$/.test(term) ? '' : ':';
        return `- ${[term + colon, text].filter((part) => part !== '').join(' ')}`;
      })
      .join('\n');
  }
  // A form whose fields are empty, or a list in a frame.
  if (headRows === 0 && columns.length === 1) {
    const mark = body.length > 1 ? '- ' : '';
    return body.map(([cell = '']) => `${mark}${cell}`).join('\n');
  }
  const [first = head, ...rest] = headRows === 0 ? body : [head, ...body];
  const line = (row: readonly string[]) =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(first), `|${' --- |'.repeat(first.length)}`, ...rest.map(line)].join('\n');
}

/** Several heading rows as one: "Temperature" above "Min" and "Max". */
function headOf(rows: readonly string[][], width: number): string[] {
  const spread = rows.map((row) => {
    let last = '';
    // A heading over several columns stands above each of them.
    return row.map((cell) => (last = cell === '' && rows.length > 1 ? last : cell));
  });
  return Array.from({ length: width }, (_, column) => {
    const words = spread.map((row) => row[column] ?? '').filter((word) => word !== '');
    return [...new Set(words)].join(' ');
  });
}
