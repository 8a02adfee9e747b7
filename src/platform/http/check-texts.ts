import { AppError, type FieldProblem } from '../errors.js';
import { mostProblems } from '../validate.js';

/**
 * Refuses with `invalid_request`, by the path of each, texts that no database stores and no answer could
 * repeat: with a null character or half of a surrogate pair. A key that would name the prototype is refused
 * as the unknown key that it is.
 */
export function checkTexts(input: unknown): void {
  const problems: FieldProblem[] = [];
  const waiting: [path: string, value: unknown][] = [['', input]];
  // A list instead of calls: how deep the input is must not be how deep the stack is.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (problems.length >= mostProblems) break;
    const [path, value] = next;
    const named = path === '' ? '(the whole)' : path;
    if (typeof value === 'string') {
      const message = whatIsWrongWith(value);
      if (message !== undefined) problems.push({ path: named, message });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const message = whatIsWrongWith(key);
        if (message !== undefined) problems.push({ path: named, message: `a key ${message}` });
        else if (key === '__proto__') {
          problems.push({ path: path === '' ? key : `${path}.${key}`, message: 'unknown key' });
        } else waiting.push([path === '' ? key : `${path}.${key}`, inner]);
      }
    }
  }
  refuse(problems);
}

/** Refuses with `invalid_request` where there are problems, with the first as the sentence. */
export function refuse(problems: FieldProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  throw new AppError('invalid_request', `${first.path}: ${first.message}`, { problems });
}

function whatIsWrongWith(text: string): string | undefined {
  if (text.includes('\u0000')) return 'holds a null character; leave it out';
  // Half of a pair, which JSON can write (\ud800) and UTF-8 can't.
  if (/\p{Surrogate}/u.test(text)) return 'holds half of a surrogate pair; send whole characters';
  return undefined;
}
