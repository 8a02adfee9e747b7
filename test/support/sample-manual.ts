import { buildPdf, writeLines } from '../pdf/build-pdf.js';

const verbs = ['Starting', 'Cleaning', 'Storing', 'Moving', 'Testing', 'Oiling'];
const parts = ['drum', 'valve', 'filter', 'motor', 'hose', 'panel', 'lamp', 'wheel'];
const places = ['in winter', 'after rain', 'at night', 'under load', 'in a workshop'];

function pick(words: readonly string[], index: number): string {
  return words[index % words.length] ?? '';
}

/** The title of a chapter of the sample, counted from 1. The first 48 differ. */
export function chapterTitle(number: number, subject: string): string {
  return `${pick(verbs, number)} the ${subject} ${pick(parts, Math.floor(number / verbs.length))}`;
}

/** The text of a chapter of the sample, line by line. */
export function sampleLines(number: number, subject: string): string[] {
  const title = chapterTitle(number, subject);
  return Array.from({ length: 12 }, (_, line) => {
    const place = pick(places, number + line);
    return `${title} ${place} takes setting S${number}x${line} and ${pick(parts, line + number)} ${pick(verbs, line * number)} first.`;
  });
}

export interface Chapter {
  title: string;
  lines: string[];
}

const subjects = ['pump', 'heater', 'printer', 'ladder', 'mixer'];
export const chapterTitles = [
  'Cleaning pumps',
  'Warming rooms',
  'Printing labels',
  'Climbing safely',
  'Mixing',
];

/** A chapter, from 0 to 4, with its own vocabulary except function words. `change` is an additional line. */
export function chapterOf(index: number, change = ''): Chapter {
  const lines = sampleLines(index + 1, subjects[index] ?? '').map((line) =>
    line.replaceAll(/\b(?:takes|setting|first|and)\b/g, (word) => `${word}${index}`),
  );
  const title = chapterTitles[index] ?? '';
  return { title, lines: change === '' ? lines : [...lines.slice(1), change] };
}

/** A manual with one chapter on each page, with headings and bookmarks. */
export function manualOf(chapters: Chapter[]): Promise<Uint8Array> {
  return buildPdf((document) => {
    chapters.forEach(({ title, lines }, index) => {
      const number = index + 1;
      document.addPage();
      document.outline.addItem(title);
      document.font('Helvetica-Bold').fontSize(18);
      document.text(title, 72, 100 + (number % 5) * 7, { lineBreak: false });
      document.font('Helvetica').fontSize(11);
      writeLines(document, lines, 72, 150 + (number % 7) * 9, 16);
    });
  });
}

/** A small manual with `chapters` chapters of one page each, with headings, different texts and bookmarks. */
export function sampleManual(chapters: number, subject = 'pump'): Promise<Uint8Array> {
  return manualOf(
    Array.from({ length: chapters }, (_, index) => ({
      title: chapterTitle(index + 1, subject),
      lines: sampleLines(index + 1, subject),
    })),
  );
}
