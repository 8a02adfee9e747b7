import { hasShade, type Ground } from './docx-elements.js';
import { valueOf, type Styles } from './docx-styles.js';
import type { OfficeBlock } from './office-blocks.js';
import { officeTable, type OfficeRow } from './office-table.js';
import { childrenOf, type Element } from './tree.js';

/** What reads the cells of a table. */
interface TableReader {
  styles: Styles;
  blocksOf: (parent: Element, ground: Ground) => OfficeBlock[];
}

/** A table with its merged cells. */
export function readTable(table: Element, reader: TableReader): OfficeBlock[] {
  const rows: OfficeRow[] = [];
  /** The cells that reach down from rows above, by column. */
  const merged = new Map<number, OfficeRow['cells'][number]>();
  for (const row of rowsOf(table)) {
    const [properties] = childrenOf(row, 'w:trPr');
    const isHead = properties !== undefined && childrenOf(properties, 'w:tblHeader').length > 0;
    const cells: OfficeRow['cells'] = [];
    let column = 0;
    for (const cell of cellsOf(row)) {
      const [own] = childrenOf(cell, 'w:tcPr');
      const width = Math.min(60, Math.max(1, Number(own && valueOf(own, 'w:gridSpan')) || 1));
      const [merge] = own === undefined ? [] : childrenOf(own, 'w:vMerge');
      const above = merged.get(column);
      if (merge !== undefined && merge.attributes['w:val'] !== 'restart' && above !== undefined) {
        above.height++;
        column += width;
        continue;
      }
      // Styles of tables paint their rows, so nothing is known of what is behind a cell's text.
      const blocks = reader.blocksOf(cell, { isShaded: true, isCell: true });
      const made = { blocks, width, height: 1, isShaded: own !== undefined && hasShade(own) };
      if (merge === undefined) merged.delete(column);
      else merged.set(column, made);
      cells.push(made);
      column += width;
    }
    rows.push({ cells, isHead });
  }
  const [properties] = childrenOf(table, 'w:tblPr');
  const [looks] = properties === undefined ? [] : childrenOf(properties, 'w:tblLook');
  const hasFirst =
    looks?.attributes['w:firstRow'] === '1' ||
    (Number.parseInt(looks?.attributes['w:val'] ?? '0', 16) & 0x20) > 0;
  const style = properties && valueOf(properties, 'w:tblStyle');
  return officeTable(rows, hasFirst && reader.styles.hasHead(style));
}

/** Rows and cells may be in boxes of content, or be inserted or deleted. */
function rowsOf(table: Element): Element[] {
  return childrenOf(table).flatMap((child) => {
    if (child.name === 'w:tr') return isDeleted(child) ? [] : [child];
    return /^w:(?:sdt|sdtContent|ins|customXml)$/.test(child.name) ? rowsOf(child) : [];
  });
}

function isDeleted(row: Element): boolean {
  const [properties] = childrenOf(row, 'w:trPr');
  return properties !== undefined && childrenOf(properties, 'w:del').length > 0;
}

function cellsOf(row: Element): Element[] {
  return childrenOf(row).flatMap((child) => {
    if (child.name === 'w:tc') return [child];
    return /^w:(?:sdt|sdtContent|customXml)$/.test(child.name) ? cellsOf(child) : [];
  });
}
