import { setImmediate as breathe } from 'node:timers/promises';
import type { MarkupHandler } from '../../platform/text/markup-parser.js';

/** In characters. Other work of the process gets its turn between two slices. */
const sliceLength = 16 * 1024;
/** Each level costs the parser a step at each further tag, so that a page of opening tags would take hours. */
const deepest = 500;

/** Reads HTML or XML from its start, as far as it is nested no deeper than 500 levels. Never fails. */
export async function parseMarkup(
  text: string,
  handler: MarkupHandler,
  language: 'html' | 'xml' = 'html',
): Promise<void> {
  const { MarkupParser } = await import('../../platform/text/markup-parser.js');
  const parser = new MarkupParser(handler, language);
  for (let at = 0; at < text.length && parser.depth < deepest; at += sliceLength) {
    parser.write(text.slice(at, at + sliceLength));
    if (at + sliceLength < text.length) await breathe();
  }
  parser.end();
}
