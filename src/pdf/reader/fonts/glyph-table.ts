import type { Glyph } from './font.js';

/**
 * How sure the text of a glyph is: it says something; it is empty and meant to be; it is an icon without text; or
 * nobody knows.
 */
export type Meaning = 'text' | 'blank' | 'icon' | 'unknown';

export interface MeantGlyph {
  glyph: Glyph;
  meaning: Meaning;
}

/** So many glyphs without a meaning are no sign yet that a font has none. */
export const fewUnknown = 3;
/** More icons than this in a font are letters whose meaning was taken away. */
const fewIcons = 12;
/** A font has no more codes than this; hostile strings may try them all. */
const maxKept = 65_536;
const replacement = '\ufffd';

/** The glyphs of a font by code, made when they are met first, and whether what was met had a meaning. */
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

  /** From now on, glyphs without a meaning are drawn as replacement characters, so that nobody takes them for none. */
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
