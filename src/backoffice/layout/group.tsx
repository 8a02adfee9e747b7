import type { ComponentChildren } from 'preact';
import { useShown } from './shown.js';

interface GroupProps {
  title: string;
  /** The path of the list with all of them. */
  to: string;
  /** Each is a `Work`. */
  rows: ComponentChildren[];
  /** A link to this list below the rows. */
  all?: string | undefined;
}

/** Some things of one kind, as lines below a heading that leads to all of them; nothing where there are none. */
export function Group({ title, to, rows, all }: GroupProps) {
  const { at } = useShown();
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>
        <a href={at(to)}>{title}</a>
      </h2>
      <ul class="waiting">{rows}</ul>
      {all === undefined ? null : (
        <p>
          <a href={at(to)}>{all}</a>
        </p>
      )}
    </section>
  );
}
