/**
 * A function to be evaluated in a page, of its text: what it names there (document, elements) are types of the page's,
 * which the compile of the tests does not have.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- what the text gives back is the caller's to know, as with page.evaluate.
export function inPage<T>(source: string): (argument: unknown) => T {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- Playwright sends functions as their texts; this one is never called here.
  return new Function('argument', `return (${source})(argument)`) as (argument: unknown) => T;
}
