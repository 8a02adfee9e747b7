import type { ComponentChildren } from 'preact';

interface TableProps {
  /** Names the table for those who do not see it. */
  caption: string;
  /** The headings of the columns. An empty one is for buttons. */
  columns: readonly string[];
  /** Rows of `Row`. */
  children: ComponentChildren;
}

/** A table in a region of its own, which scrolls sideways on narrow windows. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) =>
              column === '' ? (
                <td key={index} />
              ) : (
                <th key={index} scope="col">
                  {column}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A row: its first cell names it. */
export function Row({ name, cells }: { name: ComponentChildren; cells: ComponentChildren[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map((cell, index) => (
        <td key={index}>{cell}</td>
      ))}
    </tr>
  );
}
