import { setImmediate as breathe } from 'node:timers/promises';
import type { ParserOptions } from 'htmlparser2';

/** In characters. Other work of the process gets its turn between two slices. */
const sliceLength = 16 * 1024;
/** Each level costs the parser a step at each further tag, so that a page of opening tags would take hours. */
const deepest = 500;

export interface MarkupHandler {
  onOpen(name: string, attributes: Record<string, string>): void;
  onText(text: string): void;
  onClose(name: string): void;
}

/** Reads HTML or XML from its start, as far as it is nested no deeper than 500 levels. Never fails. */
export async function parseMarkup(
  text: string,
  handler: MarkupHandler,
  options: ParserOptions = {},
): Promise<void> {
  const { Parser } = await import('htmlparser2');
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        handler.onOpen(name, attributes);
      },
      ontext: (piece) => handler.onText(piece),
      onclosetag(name) {
        depth--;
        handler.onClose(name);
      },
    },
    { decodeEntities: true, ...options },
  );
  for (let at = 0; at < text.length && depth < deepest; at += sliceLength) {
    parser.write(text.slice(at, at + sliceLength));
    if (at + sliceLength < text.length) await breathe();
  }
  parser.end();
}
