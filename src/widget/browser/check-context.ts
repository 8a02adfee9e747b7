import type { PageContext } from '../../chat/api-types.js';

type Part = keyof PageContext;

const parts: Record<Part, [what: string, is: (given: unknown) => boolean]> = {
  url: ['a text', (given) => typeof given === 'string' && given !== ''],
  title: ['a text', (given) => typeof given === 'string'],
  selectedText: ['a text', (given) => typeof given === 'string'],
  forms: ['a list', Array.isArray],
  pageStructure: ['an object', (given) => typeof given === 'object' && given !== null],
};

/**
 * The valid parts of what a page says about itself. An invalid part is dropped, so that it is read from the page, and
 * `warn` reports it. Undefined means "not given".
 */
export function checkContext(
  given: unknown,
  warn: (sentence: string) => void,
): Partial<PageContext> | null {
  if (given === null || given === undefined) return null;
  if (typeof given !== 'object') {
    warn('setContext takes an object, or null.');
    return null;
  }
  const usable = Object.entries(given).filter(([name, value]) => {
    const [what, is] = Object.hasOwn(parts, name) ? parts[name as Part] : [];
    if (what === undefined) warn(`A context has no ${name}.`);
    else if (value !== undefined && !is?.(value)) warn(`The ${name} of a context is ${what}.`);
    else return value !== undefined;
    return false;
  });
  return Object.fromEntries(usable);
}
