import type { FrameSource } from '../../protocol.js';
import { element } from './element.js';
import type { ViewContext } from './view-context.js';

/** The words of an answer, with its citations as small buttons. */
export function answerText(_context: ViewContext, _reveal: (number: number) => void) {
  const node = element('div', { class: 'text' });
  let shown = '';
  return {
    node,
    show(text: string) {
      if (text === shown) return;
      shown = text;
      node.textContent = text;
    },
    end(_sources: readonly FrameSource[]) {
      shown = node.textContent;
    },
    spoken: () => node.textContent,
  };
}
