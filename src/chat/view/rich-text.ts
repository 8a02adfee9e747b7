import { element } from '../dom/element.js';

/**
 * What is shown, as HTML for other programs: names of elements and addresses of links alone. Citations and labels are
 * words in it, other buttons are left out.
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
