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

/**
 * The shown nodes as HTML for other programs, with element names and link addresses only. Citations and labels become
 * text; other buttons are omitted.
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
 * The texts of a rendered answer, one per paragraph, heading, cell and code block. Buttons and names of programming
 * languages are omitted.
 */
export function spokenTexts(answer: HTMLElement): string[] {
  return [...answer.querySelectorAll('p,pre,th,td,h3,h4,h5,h6')].map((block) => {
    const copy = block.cloneNode(true) as Element;
    for (const made of copy.querySelectorAll('button')) made.remove();
    // A removed citation leaves two spaces, or one before a full stop.
    return copy.textContent
      .replace(/\s+/g, ' ')
      .replace(/ (?=[.,:;!?)])/g, '')
      .trim();
  });
}
