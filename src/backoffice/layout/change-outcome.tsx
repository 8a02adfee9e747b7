import type { ComponentChildren } from 'preact';
import type { RefusedEntry } from '../../knowledge/change-entries.js';
import { Form, Hidden } from './form.js';
import { Refusal } from './refusal.js';
import { useShown } from './shown.js';

interface ChangeOutcomeProps {
  title: string;
  /** What was changed, or put back. */
  told: string;
  /** Where the form with these values goes that undoes the change; undefined when nothing can be undone. */
  undo?: { to: string; values: Readonly<Record<string, string>> } | undefined;
  refused: readonly RefusedEntry[];
  refusedTitle: (count: string) => string;
  /** Where to go on. */
  children: ComponentChildren;
}

/** What became of a change of many entries, with those that stay as they were and the reason of each. */
export function ChangeOutcome(props: ChangeOutcomeProps) {
  const { at, format } = useShown();
  const { title, told, undo, refused, refusedTitle, children } = props;
  return (
    <>
      <h1>{title}</h1>
      <div class="done" role="status" tabIndex={-1} data-focus>
        <p>{told}</p>
        {undo === undefined ? null : <UndoForm {...undo} />}
      </div>
      {refused.length === 0 ? null : (
        <section class="fault">
          <h2>{refusedTitle(format.number(refused.length))}</h2>
          <ul>
            {refused.map(({ name, title, error }) => (
              <li key={name}>
                <a href={at(`/knowledge/${name}`)}>{title ?? name}</a>: <Refusal of={error} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {children}
    </>
  );
}

function UndoForm({ to, values }: NonNullable<ChangeOutcomeProps['undo']>) {
  const { say } = useShown();
  return (
    <Form action="undo" to={to}>
      <Hidden values={values} />
      <button>{say.labels.undo}</button>
    </Form>
  );
}
