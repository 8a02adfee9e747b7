import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PdfFile } from '../pdf-folder.js';

/** Markdown as the text that a reader of the printed page sees: without marks, and links as their words. */
export function stripMarkdown(markdown: string): string {
  return (
    markdown
      .replace(/^(`{3,}|~{3,}).*$/gm, '')
      .replace(/^#{1,6}\s+/gm, '')
      // The line under a table's head; of the other rows the bars are no words.
      .replace(/^\|?[ \t:|-]+\|[ \t:|-]*$/gm, '')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/^\s*[-*+]\s+/gm, '')
      .replace(/[`*|]/g, ' ')
  );
}

/** Parts of the product's own manual, in the order in which they are rendered. */
const ownManual = ['manual.en.md', 'manual.es.md', 'manual.de.md'];

/** What a file should read as: the text its manifest names, for the product's own manual the Markdown it is made of. */
export async function readTruth(file: PdfFile): Promise<string | undefined> {
  if (file.truth !== undefined) return readFile(file.truth, 'utf8');
  if (file.name !== 'assistant-manual.pdf') return undefined;
  const parts = ownManual.map((name) => readFile(join(dirname(file.path), name), 'utf8'));
  const texts = await Promise.all(parts).catch(() => undefined);
  return texts?.map(stripMarkdown).join('\n');
}
