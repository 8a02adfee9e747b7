import type { FrameSource } from '../protocol.js';
import type { Block } from '../markdown/blocks.js';
import { parseMarkdown } from '../markdown/parse-markdown.js';
import { updateMarkdown } from '../markdown/render-markdown.js';
import { button, element, nameButton } from '../dom/element.js';
import type { ViewContext } from './view-context.js';

/** The text of an answer, with its citations as small buttons that lead to their sources. */
export function answerText({ texts }: ViewContext, reveal: (number: number) => void) {
  const node = element('div', { class: 'text' });
  let shown = '';
  let blocks: Block[] = [];
  const citation = (number: number): Node =>
    button('cite', () => reveal(number), [String(number)], texts.source(number));
  const options = { citation, copyLabel: texts.copy, copied: texts.copied };
  return {
    node,
    show(text: string) {
      if (text === shown) return;
      shown = text;
      const next = parseMarkdown(text, blocks);
      updateMarkdown(node, blocks, next, options);
      blocks = next;
    },
    /** The cited sources are known only at the end: numbers without a source become text, the others get a name. */
    end(sources: readonly FrameSource[]) {
      for (const made of node.querySelectorAll<HTMLElement>('.cite')) {
        const number = Number(made.textContent);
        const source = sources.find((one) => one.number === number);
        if (source) nameButton(made, `${texts.source(number)}: ${source.title}`);
        else made.replaceWith(`[${number}]`);
      }
    },
  };
}
