import { element, type Child } from '../dom/element.js';

/** What moves while something is waited for, and what that is. */
export function dots(what: Child): HTMLElement {
  return element('div', { class: 'dots' }, element('i'), element('i'), element('i'), what);
}
