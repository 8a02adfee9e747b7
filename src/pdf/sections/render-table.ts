/**
 * A table in Markdown, its first row as the heading. Two columns without a heading row are a list of terms.
 * @param headed whether the first row is known to be a heading
 */
export function renderTable(cells: readonly string[][], headed: boolean): string {
  if (cells[0]?.length === 2 && !headed) {
    return cells
      .map(([term = '', text = '']) =>
        term === '' || text === '' ? `- ${term}${text}` : `- ${term}: ${text}`,
      )
      .join('\n');
  }
  const rows = cells.map(
    (row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  const rule = `|${' --- |'.repeat(cells[0]?.length ?? 0)}`;
  return [rows[0], rule, ...rows.slice(1)].join('\n');
}
