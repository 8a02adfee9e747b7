import { AppError } from '../platform/errors.js';

/** A name without the blanks around it. Refuses with `invalid_request` one that is empty. */
export function requiredName(field: string, text: string): string {
  const name = text.trim();
  if (name !== '') return name;
  const message = 'must not be empty';
  throw new AppError('invalid_request', `${field}: ${message}`, {
    problems: [{ path: field, message }],
  });
}
