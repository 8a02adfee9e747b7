import type { FrameSource } from '../protocol.js';
import type { Block } from '../markdown/blocks.js';
import { parseMarkdown } from '../markdown/parse-markdown.js';
import { updateMarkdown } from '../markdown/render-markdown.js';
import { button, element, nameButton } from '../dom/element.js';
import type { ViewContext } from './view-context.js';

/** The words of an answer, with its citations as small buttons that lead to their sources. */
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
    /** Only now is known what was cited: a number without a source is text again, the others are named. */
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

/**
 * The words of a rendered answer, one text for each paragraph, heading, cell and block of code. Buttons and the names of
 * programming languages are left out.
 */
export function spokenTexts(answer: HTMLElement): string[] {
  return [...answer.querySelectorAll('p,pre,th,td,h3,h4,h5,h6')].map((block) => {
    const copy = block.cloneNode(true) as Element;
    for (const made of copy.querySelectorAll('button')) made.remove();
    // Where a citation stood there are two spaces, or one before a full stop.
    return copy.textContent
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,:;!?)])/g, '')
      .trim();
  });
}
