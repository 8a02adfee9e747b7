import { AppError, type FieldProblem } from '../errors.js';
import { mostProblems } from '../validate.js';

/**
 * Refuses texts that no database stores and no answer could repeat: with a null character or half of a surrogate pair.
 * Refuses keys that would change a prototype as unknown keys. Errors: `invalid_request`, with the path of each problem.
 */
export function checkTexts(input: unknown): void {
  const problems: FieldProblem[] = [];
  const waiting: [path: string, value: unknown][] = [['', input]];
  // A list instead of recursion, so that deep input cannot overflow the stack.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (problems.length >= mostProblems) break;
    const [path, value] = next;
    const named = path === '' ? '(the whole)' : path;
    if (typeof value === 'string') {
      const wrong = whatIsWrongWith(value);
      if (wrong !== undefined) problems.push({ path: named, ...wrong });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const wrong = whatIsWrongWith(key);
        if (wrong !== undefined) {
          problems.push({ path: named, ...wrong, message: `a key ${wrong.message}` });
        } else if (key === '__proto__') {
          problems.push({
            path: path === '' ? key : `${path}.${key}`,
            message: 'unknown key',
            reason: { is: 'unknown_field' },
          });
        } else waiting.push([path === '' ? key : `${path}.${key}`, inner]);
      }
    }
  }
  refuse(problems);
}

/** Errors: `invalid_request` if there are problems. The first one becomes the message. */
export function refuse(problems: FieldProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new AppError('invalid_request', `${first.path}: ${first.message}`, { problems });
}

function whatIsWrongWith(text: string): Omit<FieldProblem, 'path'> | undefined {
  const reason = { is: 'broken_text' };
  if (text.includes('\u0000')) return { message: 'holds a null character; leave it out', reason };
  // JSON can encode half of a surrogate pair (\ud800), UTF-8 can't.
  if (/\p{Surrogate}/u.test(text)) {
    return { message: 'holds half of a surrogate pair; send whole characters', reason };
  }
  return undefined;
}
