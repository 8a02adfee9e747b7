import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import type { BodyPage } from './fill-pages.js';
import type { Mark } from './lay-out-blocks.js';
import { colors, page, styles, textWidth, type FontName, type TextStyle } from './page-style.js';
import type { Heading } from './read-manual.js';

export type Document = PDFKit.PDFDocument;

/** A heading with the page of the PDF on which it stands, from 1. */
export interface Target {
  heading: Heading;
  page: number;
  /** Where on that page, in points from its top. */
  y: number;
}

export function titled(heading: Heading): string {
  return heading.number === '' ? heading.text : `${heading.number} ${heading.text}`;
}

/** A name for a link to lead to, unique in the document. */
export function anchorOf(target: Target): string {
  return `${target.page}:${target.y}`;
}

export function drawTitlePage(doc: Document, title: string, parts: Heading[]): void {
  doc.addPage();
  doc.rect(0, 0, page.width, 250).fill(colors.accent);
  write(doc, title, page.left, 150, { ...styles.part, size: 54, color: '#ffffff' });
  for (const [index, part] of parts.entries()) {
    const style = { ...styles.chapter, size: index === 0 ? 22 : 15, color: colors.ink };
    write(doc, part.text, page.left, index === 0 ? 290 : 310 + index * 24, style);
  }
}

/** Draws the contents, of which `linesPerContentsPage` fit on a page. */
export function drawContents(doc: Document, targets: Target[]): void {
  for (let first = 0; first < targets.length; first += linesPerContentsPage) {
    doc.addPage();
    write(doc, 'Contents', page.left, page.top - 34, styles.chapter);
    const entries = targets.slice(first, first + linesPerContentsPage);
    for (const [index, target] of entries.entries()) {
      drawEntry(doc, target, page.top + index * contentsLeading);
    }
    drawFooter(doc, first / linesPerContentsPage + 2);
  }
}

const contentsLeading = 13.5;
export const linesPerContentsPage = Math.floor((page.bottom - page.top) / contentsLeading);

function drawEntry(doc: Document, target: Target, y: number): void {
  const { heading } = target;
  const style: TextStyle =
    heading.level === 3 ? styles.cell : { ...styles.headerCell, color: colors.ink };
  const indent = (heading.level - 1) * 14;
  const number = String(target.page);
  const numberX = page.right - widthOf(doc, number, style.fonts.text, style.size);
  const text = `${titled(heading)} `;
  const end = page.left + indent + widthOf(doc, text, style.fonts.text, style.size);
  // Dots end at one place in all lines, whatever the width of the titles: they are set from the right.
  const dot = widthOf(doc, '. ', 'Helvetica', style.size);
  const dots = Math.max(0, Math.floor((page.right - 24 - end) / dot));
  write(doc, text, page.left + indent, y, style);
  write(doc, '. '.repeat(dots), page.right - 24 - dots * dot, y, {
    ...styles.cell,
    color: colors.quiet,
  });
  write(doc, number, numberX, y, style);
  doc.goTo(page.left, y, textWidth, contentsLeading, anchorOf(target));
}

/** Draws a page of the body with its running header and its number. */
export function drawBodyPage(doc: Document, body: BodyPage, number: number): void {
  doc.addPage();
  const chapter = body.chapter === undefined ? '' : titled(body.chapter);
  const { size, fonts } = styles.margin;
  const chapterX = page.right - widthOf(doc, chapter, fonts.text, size);
  write(doc, body.part?.text ?? '', page.left, 44, styles.margin);
  write(doc, chapter, chapterX, 44, styles.margin);
  rule(doc, page.left, 58, textWidth, colors.rule);
  for (const { strip, y } of body.strips) {
    for (const mark of strip.marks) drawMark(doc, mark, y);
  }
  drawFooter(doc, number);
}

/** The height of a PNG picture that is one wide: its header holds both, at fixed places. */
export function ratioOf(path: string): number {
  const header = readFileSync(pictureAt(path));
  return header.readUInt32BE(20) / header.readUInt32BE(16);
}

function pictureAt(path: string): string {
  return join(packageRoot(), 'docs', 'manual', path);
}

function drawFooter(doc: Document, number: number): void {
  const x = page.right - widthOf(doc, String(number), 'Helvetica', styles.margin.size);
  write(doc, String(number), x, 806, styles.margin);
}

function drawMark(doc: Document, mark: Mark, top: number): void {
  const x = page.left + mark.x;
  const y = top + mark.y;
  if (mark.kind === 'box') doc.rect(x, y, mark.width, mark.height).fill(mark.color);
  else if (mark.kind === 'picture') doc.image(pictureAt(mark.path), x, y, { width: mark.width });
  else if (mark.kind === 'rule') rule(doc, x, y, mark.width, mark.color);
  else {
    drawText(doc, mark.text, x, y, mark);
  }
}

function rule(doc: Document, x: number, y: number, width: number, color: string): void {
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.6)
    .stroke(color);
}

function write(doc: Document, text: string, x: number, y: number, style: TextStyle): void {
  if (text === '') return;
  drawText(doc, text, x, y, { font: style.fonts.text, size: style.size, color: style.color });
}

/** Fonts differ in height above the baseline: by the baseline, a line of several fonts is one line. */
function drawText(
  doc: Document,
  text: string,
  x: number,
  top: number,
  style: { font: FontName; size: number; color: string },
): void {
  doc.font(style.font, style.size).fillColor(style.color);
  doc.text(text, x, top + 0.8 * style.size, { lineBreak: false, baseline: 'alphabetic' });
}

export function widthOf(doc: Document, text: string, font: FontName, size: number): number {
  return doc.font(font, size).widthOfString(text);
}
