import type { WidgetLanguage } from '../../../chat/api-types.js';
import { element, setText } from '../../../chat/dom/element.js';
import type { Service } from '../service/service.js';
import type { ExtensionTexts } from '../texts/texts.js';

/** Passed to each section of the options page. */
export interface OptionsContext extends Pick<Status, 'say' | 'fail'> {
  service: Service;
  texts: ExtensionTexts;
  language: WidgetLanguage;
}

/** The status message of a page: one sentence at a time, at the top or beside a form. */
interface Status {
  /** Stands at the top of the page. */
  node: HTMLElement;
  /** Shows a success at the top; an empty text clears it. */
  say: (text: string) => void;
  /** Shows beside a form why something failed. */
  fail: (at: HTMLElement, text: string) => void;
}

export function openStatus(): Status {
  const node = element('p', { class: 'status', role: 'status' });
  let last: HTMLElement = node;
  const show = (at: HTMLElement, text: string): void => {
    if (at !== last) setText(last, '');
    last = at;
    setText(at, text);
  };
  return { node, say: (text) => show(node, text), fail: show };
}
