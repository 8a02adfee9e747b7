import type { PageContext } from '../../chat/api-types.js';

const isText = (given: unknown) => typeof given === 'string';

const parts: Record<keyof PageContext, (given: unknown) => boolean> = {
  url: (given) => isText(given) && given !== '',
  title: isText,
  selectedText: isText,
  forms: Array.isArray,
  pageStructure: (given) => typeof given === 'object' && given !== null,
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
    if (value === undefined) return false;
    const isUsable = Object.hasOwn(parts, name) && parts[name as keyof PageContext](value);
    if (!isUsable) warn(`setContext takes no such ${name}.`);
    return isUsable;
  });
  return Object.fromEntries(usable);
}
