import { Parser } from 'htmlparser2';

export interface MarkupHandler {
  /** `depth` counts the open elements, from 1 for the outermost. */
  onOpen(name: string, attributes: Record<string, string>, depth: number): void;
  onText(text: string): void;
  onClose(name: string, depth: number): void;
}

/**
 * A parser of HTML, or of XML as it is inside of office files, that tells what it finds in pieces of a text. It never
 * fetches anything, and knows no entities but those of HTML or XML itself: declared ones stay text.
 */
export class MarkupParser {
  /** The number of open elements. Each costs the parser a step at each further tag. */
  depth = 0;
  readonly #parser: Parser;

  constructor(handler: MarkupHandler, language: 'html' | 'xml' = 'html') {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => handler.onOpen(name, attributes, ++this.depth),
        ontext: (text) => handler.onText(text),
        onclosetag: (name) => {
          handler.onClose(name, this.depth);
          this.depth = Math.max(0, this.depth - 1);
        },
      },
      { xmlMode: language === 'xml', decodeEntities: true },
    );
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): void {
    this.#parser.end();
  }
}
