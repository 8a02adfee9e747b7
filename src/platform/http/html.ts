/** Text that is markup already. Anything else is escaped where it is put into markup. */
export class Html {
  constructor(readonly markup: string) {}
}

export type HtmlValue = string | number | Html | HtmlValue[];

/** Markup with values in it: texts are escaped, markup and lists of both are taken as they are. */
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

/** A text as it stands in markup, between tags and in quoted attributes alike. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
