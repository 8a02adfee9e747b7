import type { Block } from '../../sections/block.js';

const number = String.raw`(?:[A-Z]|[IVX]{2,5})?[-.]?\d{1,3}(?:[-.]\d{1,3})*[a-z]?`;
const word = String.raw`(?:fig(?:ure|ura)?s?|abb(?:ildung(?:en)?)?)\.?`;
/** The beginning of a figure's caption, not of a sentence such as “Figure 3 shows”. */
const caption = new RegExp(String.raw`^${word}\s*(${number})[.:](?=\s)`, 'iu');
const mention = new RegExp(
  String.raw`(?<!\p{L})${word}\s*(${number})(?:,?\s+(?:and|und|y|to|bis|a)\s+(${number}))?`,
  'giu',
);
/** A figure floats at most so many pages and chapters away from the text that refers to it. */
const reach = 2;

/** The text between two headings, and the page on which it first refers to each figure. */
interface Stretch {
  blocks: Block[];
  mentions: Map<string, number>;
}

const keyOf = (figure: string) => figure.toLowerCase();

function stretchesOf(blocks: readonly Block[]): Stretch[] {
  let open: Stretch = { blocks: [], mentions: new Map() };
  const stretches = [open];
  for (const block of blocks) {
    if (block.kind === 'heading') {
      open = { blocks: [], mentions: new Map() };
      stretches.push(open);
    }
    open.blocks.push(block);
    const { mentions } = open;
    if (block.kind === 'heading' || block.kind === 'code') continue;
    for (const [, first = '', last = first] of block.text.replace(caption, '').matchAll(mention)) {
      for (const figure of [first, last]) {
        if (!mentions.has(keyOf(figure))) mentions.set(keyOf(figure), block.pageFrom);
      }
    }
  }
  return stretches;
}

/**
 * Moves the captions of figures that float into another chapter to the end of the chapter that refers to them. A caption
 * stays where its chapter refers to it, where none nearby does, and where it is all that its chapter has.
 */
export function placeCaptions(blocks: readonly Block[]): Block[] {
  const stretches = stretchesOf(blocks);
  const moved = stretches.map((): Block[] => []);
  const kept = stretches.map(({ blocks: own, mentions }, at) => {
    const isCaption = ({ kind, text }: Block) => kind === 'paragraph' && caption.test(text);
    if (own.every((block) => block.kind === 'heading' || isCaption(block))) return own;
    return own.filter((block) => {
      const figure = isCaption(block) ? caption.exec(block.text)?.[1] : undefined;
      if (figure === undefined || mentions.has(keyOf(figure))) return true;
      const target = [1, 2]
        .flatMap((distance) => [at - distance, at + distance])
        .find((other) => {
          const page = stretches[other]?.mentions.get(keyOf(figure));
          return page !== undefined && Math.abs(page - block.pageFrom) <= reach;
        });
      if (target === undefined) return true;
      moved[target]?.push(block);
      return false;
    });
  });
  return kept.flatMap((own, at) => [...own, ...(moved[at] ?? [])]);
}
