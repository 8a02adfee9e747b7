import type { RefusedEntry } from '../../knowledge/change-entries.js';
import { Refusal } from './refusal.js';
import { useShown } from './shown.js';

/** The entries that a change of many left as they were, each with the reason. */
export function RefusedEntries({ title, refused }: { title: string; refused: RefusedEntry[] }) {
  const { at } = useShown();
  if (refused.length === 0) return null;
  return (
    <section class="fault">
      <h2>{title}</h2>
      <ul>
        {refused.map(({ name, title, error }) => (
          <li key={name}>
            <a href={at(`/knowledge/${name}`)}>{title ?? name}</a>: <Refusal of={error} />
          </li>
        ))}
      </ul>
    </section>
  );
}
