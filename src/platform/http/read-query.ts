import type { FieldProblem } from '../errors.js';
import { checkTexts, mostProblems, refuse } from './check-texts.js';

/**
 * The parameters of a query string. Refuses with `invalid_request` one that is given twice (which of them is
 * meant?), one whose percent-encoding is broken, and texts that can't be stored; the first 20 of them.
 */
export function readQuery(querystring: string): Record<string, string> {
  const given = new Map<string, string>();
  const problems: FieldProblem[] = [];
  for (const part of querystring.split('&')) {
    if (problems.length >= mostProblems) break;
    if (part === '') continue;
    const [, written = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const name = decode(written);
    if (name === undefined) {
      problems.push({ path: written.slice(0, 60), message: badEncoding });
      continue;
    }
    const text = decode(value);
    if (text === undefined) problems.push({ path: name, message: badEncoding });
    else if (given.has(name)) {
      problems.push({ path: name, message: 'given more than once; send it once' });
    } else given.set(name, text);
  }
  refuse(problems);
  const query = Object.fromEntries(given);
  checkTexts(query);
  return query;
}

const badEncoding = 'its percent-encoding is broken; encode it as UTF-8';

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
