/** Text that is already markup. All other text is escaped when it is inserted into markup. */
export class Html {
  constructor(readonly markup: string) {}
}

export type HtmlValue = string | number | Html | HtmlValue[];

/** Builds markup from a template: texts are escaped; markup and lists of both are inserted unchanged. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(
    strings.reduce((whole, part, index) => {
      const value = values[index];
      return whole + part + (value === undefined ? '' : markupOf(value));
    }, ''),
  );
}

function markupOf(value: HtmlValue): string {
  if (value instanceof Html) return value.markup;
  return Array.isArray(value) ? value.map(markupOf).join('') : escapeHtml(String(value));
}

/** Escapes text for use between tags and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
