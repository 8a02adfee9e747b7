import type { ComponentChildren } from 'preact';
import { Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { refusedField } from '../../platform/errors.js';

interface ConfirmProps {
  action: string;
  label: string;
  /** Names the thing too, where several of them stand on a page. */
  whole?: string;
  warning: string;
  button: string;
  /** Hidden fields, or one that must be filled in. */
  children?: ComponentChildren;
}

/** A change that can't be taken back: it says what goes along before it can be sent. */
export function Confirm({ action, label, whole, warning, button, children }: ConfirmProps) {
  const { fault } = useShown();
  return (
    <details class="more" open={fault?.action === action}>
      <summary aria-label={whole}>{label}</summary>
      <Form action={action}>
        {children}
        <p>{warning}</p>
        <button class="danger">{button}</button>
      </Form>
    </details>
  );
}

/** The field in which the name of what goes away is typed. */
export function TypedName({ of, name }: { of: string; name: string }) {
  const { say } = useShown();
  return <Field of={of} name="typed" label={say.sites.typeName(name)} autoComplete="off" />;
}

/** Errors: `invalid_request` when another name was typed. */
export function requireTyped(typed: string, name: string): void {
  if (typed.trim() !== name)
    throw refusedField('typed', `must be ${name}`, 'invalid_request', { is: 'must_be', name });
}
