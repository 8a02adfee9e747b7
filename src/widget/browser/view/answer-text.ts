import type { FrameReply } from '../../protocol.js';
import { element, setAttribute } from './element.js';
import type { ViewContext } from './view-context.js';

/** The words of an answer, with its citations as small buttons. */
export function answerText({ texts }: ViewContext, reveal: (number: number) => void) {
  const node = element('div', { class: 'text' });
  let shown = '';
  return {
    node,
    show(text: string) {
      if (text === shown) return;
      shown = text;
      node.textContent = text;
    },
    end(_reply: FrameReply) {
      void [texts, reveal, setAttribute];
    },
    spoken: () => node.textContent,
  };
}
