import type { ComponentChildren } from 'preact';
import { Form } from './form.js';

interface DeleteFormProps {
  words: { delete: string; deleteWarning: string; deleteSurely: string };
  /** Hidden fields, such as the version that was read. */
  children?: ComponentChildren;
}

/** The form of the action `delete`. It says what goes along before it can be sent. */
export function DeleteForm({ words, children }: DeleteFormProps) {
  return (
    <details class="more">
      <summary>{words.delete}</summary>
      <Form action="delete">
        {children}
        <p>{words.deleteWarning}</p>
        <button name="sure" value="on">
          {words.deleteSurely}
        </button>
      </Form>
    </details>
  );
}
