import type { FrameSource } from '../../protocol.js';
import type { Block } from '../markdown/blocks.js';
import { parseMarkdown } from '../markdown/parse-markdown.js';
import { updateMarkdown } from '../markdown/render-markdown.js';
import { button, element, nameButton } from './element.js';
import type { ViewContext } from './view-context.js';

/** The words of an answer, with its citations as small buttons that lead to their sources. */
export function answerText({ texts }: ViewContext, reveal: (number: number) => void) {
  const node = element('div', { class: 'text' });
  let shown = '';
  let blocks: Block[] = [];
  let citations: { number: number; made: HTMLButtonElement }[] = [];
  const citation = (number: number): Node => {
    const made = button('cite', () => reveal(number), [String(number)], texts.source(number));
    citations.push({ number, made });
    return made;
  };
  const options = { document, citation, copyLabel: texts.copy, copied: texts.copied };
  return {
    node,
    show(text: string) {
      if (text === shown) return;
      shown = text;
      const next = parseMarkdown(text, blocks);
      updateMarkdown(node, blocks, next, options);
      blocks = next;
    },
    /** Only now is known what was cited: a number without a source is text again, the others are named. */
    end(sources: readonly FrameSource[]) {
      for (const { number, made } of citations) {
        const source = sources.find((one) => one.number === number);
        if (source) nameButton(made, `${texts.source(number)}: ${source.title}`);
        else made.replaceWith(`[${number}]`);
      }
      citations = [];
    },
  };
}
