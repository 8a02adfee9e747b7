import { element } from '../dom/element.js';

/**
 * The shown nodes as HTML for other programs, with element names and link addresses only. Citations and labels become
 * text; other buttons are omitted.
 */
export function richText(...shown: Node[]): string {
  const copy = element('div', {}, ...shown.map((node) => node.cloneNode(true)));
  for (const one of copy.querySelectorAll<HTMLElement>('*')) {
    const { textContent, dataset } = one;
    const { label } = dataset;
    if (one.matches('button')) one.replaceWith(one.matches('.cite') ? `[${textContent}]` : '');
    if (label) one.append(` (${label})`);
    for (const name of one.getAttributeNames())
      if (name !== 'href' && name !== 'start') one.removeAttribute(name);
  }
  return new XMLSerializer().serializeToString(copy);
}
