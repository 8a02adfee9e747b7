import { element, type Child } from '../dom/element.js';

/** Moving dots with the reason of the wait. */
export function dots(what: Child): HTMLElement {
  return element('div', { class: 'dots' }, element('i'), element('i'), element('i'), what);
}
