import type { Glyph } from './font.js';

/** No font has more codes, but hostile strings may try all numbers. */
const maxKept = 65_536;

/** Keeps the glyphs of a font by code. What a glyph is depends on the font alone, never on what was read before. */
export class GlyphTable {
  readonly #low = new Array<Glyph | undefined>(256).fill(undefined);
  readonly #others = new Map<number, Glyph>();

  constructor(readonly make: (code: number) => Glyph) {}

  get(code: number): Glyph {
    return (code < 256 ? this.#low[code] : this.#others.get(code)) ?? this.#add(code);
  }

  #add(code: number): Glyph {
    const glyph = this.make(code);
    if (code < 256) this.#low[code] = glyph;
    else if (this.#others.size < maxKept) this.#others.set(code, glyph);
    return glyph;
  }
}
