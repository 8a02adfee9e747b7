import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/platform/package-root.js';
import {
  anchorOf,
  drawBodyPage,
  drawContents,
  drawTitlePage,
  linesPerContentsPage,
  ratioOf,
  titled,
  widthOf,
  type Document,
  type Target,
} from './draw-pages.js';
import { fillPages, type BodyPage } from './fill-pages.js';
import { layOutBlocks } from './lay-out-blocks.js';
import { layOutTable } from './lay-out-table.js';
import { page } from './page-style.js';
import { readManual } from './read-manual.js';

const title = 'Assistant';
const files = ['manual.en.md', 'manual.es.md', 'manual.de.md'];

/** Where the rendered manual is carried in the repository. */
export function manualPath(): string {
  return join(packageRoot(), 'docs', 'manual', 'assistant-manual.pdf');
}

/**
 * Renders the Markdown files of the manual to one PDF: title page, contents, and a part for each file. The
 * same files give the same bytes: the document's dates are fixed. Throws on characters that the standard
 * fonts lack, which would come out as others.
 */
export async function renderManual(): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const folder = join(packageRoot(), 'docs', 'manual');
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  texts.forEach(requireWinAnsi);
  const blocks = (await Promise.all(texts.map(readManual))).flat();

  const made = new Date('2026-01-01T00:00:00Z');
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: 'en',
    displayTitle: true,
    info: { Title: 'Assistant User Manual', CreationDate: made, ModDate: made },
  });
  const bytes = collect(doc);
  const measure = (text: string, font: Parameters<typeof widthOf>[2], size: number): number =>
    widthOf(doc, text, font, size);
  const bodies = fillPages(layOutBlocks(blocks, measure, layOutTable, ratioOf));
  const targets = targetsOf(bodies);
  const parts = targets.flatMap(({ heading }) => (heading.level === 1 ? [heading] : []));

  drawTitlePage(doc, title, parts);
  drawContents(doc, targets);
  const outline = outlineOf(doc);
  for (const [index, body] of bodies.entries()) {
    const number = firstBodyPage(targets.length) + index;
    drawBodyPage(doc, body, number);
    for (const target of targets.filter((target) => target.page === number)) outline(target);
  }
  doc.end();
  return bytes;
}

function firstBodyPage(headings: number): number {
  return 2 + Math.ceil(headings / linesPerContentsPage);
}

/** The contents come first and name pages that follow: their length is known from the number of headings. */
function targetsOf(bodies: BodyPage[]): Target[] {
  const found = bodies.flatMap((body, index) =>
    body.strips.flatMap(({ strip: { heading }, y }) =>
      heading ? [{ heading, page: index, y }] : [],
    ),
  );
  return found.map((target) => ({ ...target, page: target.page + firstBodyPage(found.length) }));
}

/** Adds bookmarks and link targets to the document's present page. */
function outlineOf(doc: Document): (target: Target) => void {
  const open: PDFKit.PDFOutline[] = [doc.outline];
  return (target) => {
    const { level } = target.heading;
    const parent = open[level - 1] ?? doc.outline;
    const top = target.y - 12;
    // `left` is counted from the right edge: this is the left one.
    const place = { left: page.width, top, expanded: level === 1 };
    open[level] = parent.addItem(titled(target.heading), place);
    doc.addNamedDestination(anchorOf(target), 'XYZ', 0, page.height - top, null);
  };
}

/** The printable characters of cp1252, which is what PDF's standard fonts cover. */
function requireWinAnsi(text: string): void {
  const extra = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
  for (const character of text.replaceAll(/[\n\x20-\x7e\xa0-\xff]/g, '')) {
    if (extra.includes(character)) continue;
    const code = character.codePointAt(0)?.toString(16) ?? '';
    throw new Error(`The standard fonts have no ${character} (U+${code}).`);
  }
}

function collect(doc: Document): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    doc.on('data', (piece: Buffer) => pieces.push(piece));
    doc.on('end', () => resolve(Buffer.concat(pieces)));
    doc.on('error', reject);
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await writeFile(manualPath(), await renderManual());
}
