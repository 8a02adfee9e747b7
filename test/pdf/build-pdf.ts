import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PDFDocument from 'pdfkit';
import { packageRoot } from '../../src/platform/package-root.js';

/** A PDF drawn by `draw`, in A4, without pages until the drawing adds one. */
export function buildPdf(
  draw: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ size: 'A4', autoFirstPage: false, margin: 0, ...options });
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
    document.on('error', reject);
    draw(document);
    document.end();
  });
}

/** Writes lines below one another without pdfkit's wrapping, and returns the position of the next line. */
export function writeLines(
  document: PDFKit.PDFDocument,
  lines: readonly string[],
  x: number,
  top: number,
  leading = 14,
): number {
  lines.forEach((line, index) =>
    document.text(line, x, top + index * leading, { lineBreak: false }),
  );
  return top + lines.length * leading;
}

export function readFixture(name: string): Promise<Uint8Array> {
  return readFile(join(packageRoot(), 'test', 'fixtures', 'pdf', name));
}
