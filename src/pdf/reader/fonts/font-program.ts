/** What a font program, embedded in a PDF, tells of the meaning of its glyphs. */
export interface FontProgram {
  /** The name of the glyph that a code draws by the program's own encoding. */
  nameOfCode(code: number): string | undefined;
  /** What a code draws by the program's other tables; empty where they don't say. */
  textOfCode(code: number): string;
  /** What a glyph stands for by its place in the program; empty where that is not known. */
  textOfGlyph(glyph: number): string;
  /** Whether textOfGlyph knows any. */
  knowsGlyphs: boolean;
}
