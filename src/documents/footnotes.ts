import type { Block } from '../sections/block.js';

/** The footnotes of a chapter, which stand at its end. Their numbers count through the document. */
export class Footnotes {
  readonly #numbers = new Map<string, number>();
  #open: Block[] = [];

  /**
   * The number of a footnote, which the open chapter has from its first mark.
   * @param write its words, if there are any
   */
  numberOf(
    reference: string,
    write: () => string,
    place: Pick<Block, 'pageFrom' | 'pageTo'>,
  ): number {
    const known = this.#numbers.get(reference);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(reference, number);
    const text = write();
    if (text !== '') this.#open.push({ kind: 'note', text: `[^${number}]: ${text}`, ...place });
    return number;
  }

  /** Ends the chapter. */
  take(): Block[] {
    const taken = this.#open;
    this.#open = [];
    return taken;
  }
}
