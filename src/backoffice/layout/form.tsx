import type { ComponentChildren } from 'preact';
import type { FieldProblem } from '../../platform/errors.js';
import { FieldName, Problem, Refusal } from './refusal.js';
import { useShown } from './shown.js';

interface FormProps {
  /** The name of the page's action. */
  action: string;
  /** Another page's path; default: this page's. */
  to?: string;
  /** Needed by a form with a file. */
  enctype?: 'multipart/form-data';
  /** Under this name the browser keeps what is typed until it is stored. */
  'data-keep'?: string;
  /** Each change is shown in the preview of the widget. */
  'data-look'?: string;
  /** Its answer is a whole page, also where the script exchanges parts of one. */
  'data-whole'?: string;
  /** The answer is a file. */
  'data-download'?: string;
  children: ComponentChildren;
}

/** A form of this page: it names its action, and begins with what is wrong with it. */
export function Form({ action, to, children, ...rest }: FormProps) {
  const { at, path, fault } = useShown();
  return (
    <form method="post" action={at(to ?? path)} class="form" {...rest}>
      {fault?.action === action ? <FaultSummary /> : null}
      <input type="hidden" name="do" value={action} />
      {children}
    </form>
  );
}

/** Fields that a form sends without showing them. */
export function Hidden({ values }: { values: Readonly<Record<string, string>> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** The problems of a refused form, with links to the fields. It takes the focus. */
export function FaultSummary() {
  const { say, fault } = useShown();
  if (fault === undefined) return null;
  const named = fault.problems.filter(({ path }) => path in fault.values);
  return (
    <div class="fault" role="alert" tabIndex={-1} data-focus>
      <p>
        <strong>{say.fault.summary}</strong> {named.length === 0 ? <Refusal of={fault} /> : null}
      </p>
      {named.length === 0 ? null : (
        <ul>
          {named.map((problem) => (
            <li key={problem.path}>
              <a href={`#${fault.action}-${problem.path}`}>
                <FieldName path={problem.path} />: <Problem of={problem} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface FieldProps {
  /** The name of the form's action: makes the field's id unique on the page. */
  of: string;
  name: string;
  label: string;
  hint?: string | undefined;
  value?: string | undefined;
  type?: 'text' | 'email' | 'search' | 'password' | 'date';
  autoComplete?: string;
  required?: boolean;
  /** The id of a list of suggestions. */
  list?: string;
  autoFocus?: boolean;
}

/** A field with its label, its hint and what is wrong with it. It shows again what was typed, but no password. */
export function Field(props: FieldProps) {
  const { of, name, label, hint, value = '', type = 'text', list, ...rest } = props;
  const { id, problem, typed, described } = useField(of, name, hint);
  const common = {
    ...rest,
    id,
    name,
    'aria-invalid': problem === undefined ? undefined : ('true' as const),
    'aria-describedby': described,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Notes id={id} hint={hint} problem={problem} />
      {type === 'password' ? (
        <input {...common} type="password" />
      ) : (
        <input
          {...common}
          {...(list === undefined ? {} : { list })}
          type={type}
          value={typed ?? value}
        />
      )}
    </div>
  );
}

/** A field for a longer text. */
export function TextArea({
  of,
  name,
  label,
  hint,
  value,
  rows,
  required = false,
}: {
  of: string;
  name: string;
  label: string;
  hint?: string | undefined;
  value: string;
  rows: number;
  required?: boolean;
}) {
  const { id, problem, typed, described } = useField(of, name, hint);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Notes id={id} hint={hint} problem={problem} />
      <textarea
        id={id}
        name={name}
        rows={rows}
        required={required}
        aria-invalid={problem === undefined ? undefined : 'true'}
        aria-describedby={described}
      >
        {`\n${typed ?? value}`}
      </textarea>
    </div>
  );
}

/** A choice of a few values. */
export function Choice({
  of,
  name,
  label,
  hint,
  value,
  options,
}: {
  of: string;
  name: string;
  label: string;
  hint?: string;
  value: string;
  options: readonly (readonly [value: string, text: string])[];
}) {
  const { id, problem, typed, described } = useField(of, name, hint);
  const chosen = typed ?? value;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Notes id={id} hint={hint} problem={problem} />
      <select id={id} name={name} aria-describedby={described}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

export function Checkbox({
  of,
  name,
  label,
  checked,
}: {
  of: string;
  name: string;
  label: string;
  checked: boolean;
}) {
  const { fault } = useShown();
  const isChecked = fault?.action === of ? fault.values[name] === 'on' : checked;
  const id = `${of}-${name}`;
  return (
    <div class="field check">
      <input type="checkbox" id={id} name={name} value="on" checked={isChecked} />
      <label for={id}>{label}</label>
    </div>
  );
}

/** The typed value and the problem of a field, if its form was refused. */
export function useField(of: string, name: string, hint: string | undefined) {
  const { fault } = useShown();
  const own = fault?.action === of ? fault : undefined;
  const problem = own?.problems.find(({ path }) => path === name);
  const id = `${of}-${name}`;
  const notes = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return { id, problem, typed: own?.values[name], described: notes === '' ? undefined : notes };
}

export function Notes({
  id,
  hint,
  problem,
}: {
  id: string;
  hint: string | undefined;
  problem: FieldProblem | undefined;
}) {
  return (
    <>
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p class="problem" id={`${id}-problem`}>
          <Problem of={problem} />
        </p>
      )}
    </>
  );
}
