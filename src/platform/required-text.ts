import { refusedField } from './errors.js';

/** Trims a text. Refuses with `invalid_request` an empty one. */
export function requiredText(field: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed !== '') return trimmed;
  throw refusedField(field, 'must not be empty');
}
