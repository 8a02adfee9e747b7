import { element, setText } from '../../../chat/dom/element.js';

/** What a page says of what was done on it: one sentence at a time, wherever it stands. */
export interface Status {
  /** At the top of the page. */
  node: HTMLElement;
  /** Says there that something was done, or with no text nothing any more. */
  say: (text: string) => void;
  /** Says beside a form why something was not done. */
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
