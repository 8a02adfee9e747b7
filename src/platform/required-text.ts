import { refusedField } from './errors.js';

/** A text without the blanks around it. Refuses with `invalid_request` one that is empty. */
export function requiredText(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '') return trimmed;
  throw refusedField(field, 'must not be empty');
}
