import type { OfficeBlock } from './office-blocks.js';
import { childrenOf, type Element } from './tree.js';

/** Reads the lists of a text with the numbers that they show. */
export class OdtLists {
  /** The last number of each style of lists at each depth: a list may go on where another one ended. */
  readonly #numbers = new Map<string, number>();

  constructor(
    /** The levels of each style. */
    readonly styles: ReadonlyMap<string, ReadonlyMap<number, Element>>,
  ) {}

  /** @param blocksOf reads what is no list */
  read(
    list: Element,
    blocksOf: (element: Element) => OfficeBlock[],
    inherited?: string,
    depth = 0,
  ): OfficeBlock[] {
    const style = list.attributes['text:style-name'] ?? inherited;
    const level = this.styles.get(style ?? '')?.get(depth + 1);
    const isNumbered =
      level?.name === 'text:list-level-style-number' &&
      (level.attributes['style:num-format'] ?? '') !== '';
    const goesOn =
      list.attributes['text:continue-numbering'] === 'true' ||
      list.attributes['text:continue-list'] !== undefined;
    const key = `${style} ${depth}`;
    const start = Number(level?.attributes['text:start-value'] ?? 1) - 1;
    let number = goesOn ? (this.#numbers.get(key) ?? start) : start;
    const suffix = level?.attributes['style:num-suffix'] ?? '.';
    return childrenOf(list, 'text:list-item', 'text:list-header').flatMap((item) => {
      const stated = Number(item.attributes['text:start-value'] ?? NaN);
      // An item that only holds a deeper list has no number of its own.
      const [own] = childrenOf(item);
      if (Number.isFinite(stated)) number = stated;
      else if (own?.name !== 'text:list') number++;
      this.#numbers.set(key, number);
      let isFirst = item.name === 'text:list-item';
      return childrenOf(item).flatMap((child): OfficeBlock[] => {
        if (child.name === 'text:list') return this.read(child, blocksOf, style, depth + 1);
        return blocksOf(child).map((block): OfficeBlock => {
          if (block.kind !== 'paragraph' || block.level !== undefined || !isFirst) return block;
          isFirst = false;
          const marker = isNumbered ? `${number}${suffix === '' ? '.' : suffix}` : '-';
          return { ...block, kind: 'item', depth: Math.min(8, depth), marker };
        });
      });
    });
  }
}
