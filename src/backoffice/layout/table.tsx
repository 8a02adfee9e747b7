import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';

/** The headings of the table that a row is in. */
const Columns = createContext<readonly string[]>([]);

interface TableProps {
  /** Names the table for those who do not see it. */
  caption: string;
  /** The headings of the columns. An empty one is for buttons. */
  columns: readonly string[];
  /** Rows of `Row`. */
  children: ComponentChildren;
}

/**
 * A table in a region of its own, which scrolls sideways. On narrow windows a row is its name, and below it the other
 * facts, each after its heading.
 */
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
        <tbody>
          <Columns.Provider value={columns}>{children}</Columns.Provider>
        </tbody>
      </table>
    </div>
  );
}

/** A row: its first cell names it. */
export function Row({ name, cells }: { name: ComponentChildren; cells: ComponentChildren[] }) {
  const columns = useContext(Columns);
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map((cell, index) => (
        <td key={index} data-column={columns[index + 1]}>
          {cell}
        </td>
      ))}
    </tr>
  );
}
