import { wrapWords } from '../platform/cli/columns.js';
import type { Check } from './doctor.schema.js';

const indent = ' '.repeat(8);

/** The checks as text, each with the remedy below it, in lines of at most `width` columns. */
export function describeChecks(
  checks: readonly (Omit<Check, 'remedy'> & { remedy?: string | null | undefined })[],
  width: number,
): string {
  const room = Math.max(20, width - indent.length);
  return checks
    .flatMap(({ status, name, finding, remedy }) => {
      const [first = '', ...more] = wrapWords(`${name}: ${finding}`, room);
      const below = [...more, ...wrapWords(remedy ?? '', room)].filter((line) => line !== '');
      return [`${status.padEnd(indent.length)}${first}`, ...below.map((line) => indent + line)];
    })
    .join('\n');
}
