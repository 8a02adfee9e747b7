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

const boxedRow = /^\s*\|.*\|\s*$/;
const boxEdge = /^[\s|+-]*$/;

/**
 * A text whose tables are drawn with bars, with each cell read as a whole. Where cells have several lines, a line of the
 * text is a piece of each cell, which is nobody's order of reading.
 */
export function joinCells(text: string): string {
  const joined: string[] = [];
  let row: string[][] = [];
  const endRow = () => {
    const cells = row[0]?.map((_, at) =>
      row
        .map((line) => line[at]?.trim())
        .join(' ')
        .trim(),
    );
    if (cells !== undefined) joined.push(cells.join(' | '));
    row = [];
  };
  for (const line of text.split('\n')) {
    const isRow = boxedRow.test(line) && !boxEdge.test(line);
    const cells = isRow ? line.trim().slice(1, -1).split('|') : undefined;
    if (cells === undefined || cells.length !== row[0]?.length) endRow();
    if (cells === undefined) joined.push(line);
    else row.push(cells);
  }
  endRow();
  return joined.join('\n');
}

/** Parts of the product's own manual, in the order in which they are rendered. */
const ownManual = ['manual.en.md', 'manual.es.md', 'manual.de.md'];

/** What a file should read as: the text its manifest names, for the product's own manual the Markdown it is made of. */
export async function readTruth(file: PdfFile): Promise<string | undefined> {
  if (file.truth !== undefined) return joinCells(await readFile(file.truth, 'utf8'));
  if (file.name !== 'assistant-manual.pdf') return undefined;
  const parts = ownManual.map((name) => readFile(join(dirname(file.path), name), 'utf8'));
  const texts = await Promise.all(parts).catch(() => undefined);
  return texts?.map(stripMarkdown).join('\n');
}
