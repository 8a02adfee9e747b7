/**
 * Makes a function for a page from its text, because the types that it uses there (document, elements) are not
 * available when the tests are compiled.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what the text gives back is the caller's to know, as with page.evaluate.
export function inPage<T>(source: string): (argument: unknown) => T {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- Playwright sends functions as their texts; this one is never called here.
  return new Function('argument', `return (${source})(argument)`) as (argument: unknown) => T;
}
