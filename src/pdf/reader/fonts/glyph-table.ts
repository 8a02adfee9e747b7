import type { Glyph } from './font.js';

/** How certain a glyph's text is: text; blank on purpose; an icon without text; or unknown. */
export type Meaning = 'text' | 'blank' | 'icon' | 'unknown';

export interface MeantGlyph {
  glyph: Glyph;
  meaning: Meaning;
}

/** Up to this many unknown glyphs do not prove that a font's codes have no meaning. */
export const fewUnknown = 3;
/** More icons than this are letters whose meaning was removed. */
const fewIcons = 12;
/** No font has more codes, but hostile strings may try all numbers. */
const maxKept = 65_536;
const replacement = '\ufffd';

/** Caches a font's glyphs by code, and counts how many had a meaning. */
export class GlyphTable {
  readonly #low = new Array<Glyph | undefined>(256).fill(undefined);
  readonly #others = new Map<number, Glyph>();
  readonly #unknown: Glyph[] = [];
  #texts = 0;
  #icons = 0;
  #isUnderstood = true;

  constructor(readonly make: (code: number) => MeantGlyph) {}

  get isUnderstood(): boolean {
    return this.#isUnderstood;
  }

  get(code: number): Glyph {
    return (code < 256 ? this.#low[code] : this.#others.get(code)) ?? this.#add(code);
  }

  /** From now on, glyphs without a meaning become replacement characters, so that they are not overlooked. */
  giveUp(): void {
    this.#isUnderstood = false;
    for (const glyph of this.#unknown) glyph.unicode = replacement;
  }

  #add(code: number): Glyph {
    const { glyph, meaning } = this.make(code);
    if (code < 256) this.#low[code] = glyph;
    else if (this.#others.size < maxKept) this.#others.set(code, glyph);
    else return glyph;
    if (meaning === 'text') this.#texts++;
    const isUnknown = meaning === 'unknown' || (meaning === 'icon' && ++this.#icons > fewIcons);
    if (isUnknown) {
      this.#unknown.push(glyph);
      const count = this.#unknown.length;
      if (!this.#isUnderstood) glyph.unicode = replacement;
      else if (count > fewUnknown && count > this.#texts) this.giveUp();
    }
    return glyph;
  }
}
