import type { ComponentChildren } from 'preact';
import type { RefusedEntry } from '../../knowledge/change-entries.js';
import { Form, Hidden } from './form.js';
import { Refusal } from './refusal.js';
import { useShown } from './shown.js';

interface ChangeOutcomeProps {
  title: string;
  /** What was changed, or put back. */
  told: string;
  undo?: UndoFormProps | undefined;
  /** Why entries stay as they were, and where they are. */
  refused: readonly RefusedEntry[];
  refusedTitle: (count: string) => string;
  placeOf?: (entry: RefusedEntry) => string;
  children: ComponentChildren;
}

/** What became of a change of many entries, with those that stay as they were and the reason of each. */
export function ChangeOutcome(props: ChangeOutcomeProps) {
  const { at, format } = useShown();
  const { title, told, undo, refused, refusedTitle, children } = props;
  const { placeOf = ({ name }) => `/knowledge/${name}` } = props;
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
            {refused.map((one) => (
              <li key={one.name}>
                <a href={at(placeOf(one))}>{one.title ?? one.name}</a>: <Refusal of={one.error} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {children}
    </>
  );
}

interface UndoFormProps {
  to: string;
  values: Readonly<Record<string, string>>;
}

/** The form with these values undoes a change of many entries. */
export function UndoForm({ to, values }: UndoFormProps) {
  const { say } = useShown();
  return (
    <Form action="undo" to={to}>
      <Hidden values={values} />
      <button>{say.labels.undo}</button>
    </Form>
  );
}
