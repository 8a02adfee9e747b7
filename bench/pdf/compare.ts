import { readFile } from 'node:fs/promises';
import { PageReader } from '../../src/pdf/reader/content/page-reader.js';
import { layOutPage } from '../../src/pdf/layout/lay-out-page.js';
import type { PageText } from '../../src/pdf/layout/page.js';
import { openDocument } from '../../src/pdf/reader/pdfjs/open-document.js';
import { FontBook, readPageText } from '../../src/pdf/reader/pdfjs/pdfjs-page-text.js';
import { readPageTree } from '../../src/pdf/reader/syntax/page-tree.js';
import { PdfFile as SyntaxFile } from '../../src/pdf/reader/syntax/pdf-file.js';
import { messageOf } from '../../src/platform/errors.js';
import type { Measure, Row } from '../measure.js';
import type { PdfFile } from '../pdf-folder.js';
import { beyond, f1, wordsOf } from './scores.js';

const worst = 30;
const mostPages = 200_000;

interface ComparedPage {
  file: string;
  page: number;
  /** Why our own reader left the page to pdf.js. */
  refused: string | undefined;
  words: number;
  /** F1 of the words, and of the letters whatever spaces stand between them. */
  sameWords: number;
  sameLetters: number;
  onlyOurs: string[];
  onlyPdfjs: string[];
}

/** All text of the page, what nobody sees included: which text is seen is a question of its own. */
function textOf(page: PageText, number: number): string {
  const { width, height, runs, hidden } = page;
  const { lines } = layOutPage(runs, { number, width, height });
  return [...lines.map((line) => line.text), ...hidden.map(({ text }) => text)].join('\n');
}

function lettersOf(words: readonly string[]): string[] {
  return words.flatMap((word) => Array.from(word));
}

function compare(file: string, page: number, ours: string, theirs: string): ComparedPage {
  const [own, other] = [wordsOf(ours), wordsOf(theirs)];
  return {
    file,
    page,
    refused: undefined,
    words: other.length,
    sameWords: f1(own, other),
    sameLetters: f1(lettersOf(own), lettersOf(other)),
    onlyOurs: beyond(own, other),
    onlyPdfjs: beyond(other, own),
  };
}

async function compareFile({ name, path }: PdfFile): Promise<ComparedPage[]> {
  const bytes = new Uint8Array(await readFile(path));
  const document = await openDocument(bytes);
  try {
    const fonts = new FontBook();
    const own = new SyntaxFile(bytes);
    const reader = new PageReader(own);
    const tree = readPageTree(own, mostPages);
    const pages: ComparedPage[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const theirs = textOf(await readPageText(await document.getPage(number), fonts), number);
      try {
        const node = tree.pages[number - 1];
        if (node === undefined) throw new Error('the page is missing');
        pages.push(compare(name, number, textOf(reader.read(node, number), number), theirs));
      } catch (error) {
        pages.push({ ...compare(name, number, '', theirs), refused: messageOf(error) });
      }
    }
    return pages;
  } finally {
    await document.loadingTask.destroy();
  }
}

function mean(values: readonly number[]): string {
  const sum = values.reduce((total, each) => total + each, 0);
  return values.length === 0 ? '' : (sum / values.length).toFixed(4);
}

function rowOfFile(name: string, pages: readonly ComparedPage[]): Row {
  const read = pages.filter(({ refused }) => refused === undefined);
  return {
    file: name,
    pages: pages.length,
    'left to pdf.js': pages.length - read.length,
    'pages that differ': read.filter(({ sameWords }) => sameWords < 1).length,
    'same words': mean(read.map(({ sameWords }) => sameWords)),
    'same letters': mean(read.map(({ sameLetters }) => sameLetters)),
    why: pages.find(({ refused }) => refused !== undefined)?.refused ?? '',
  };
}

function rowOfPage({ file, page, words, ...compared }: ComparedPage): Row {
  return {
    file,
    page,
    words,
    'same words': compared.sameWords.toFixed(3),
    'same letters': compared.sameLetters.toFixed(3),
    'only ours': compared.onlyOurs.slice(0, 8).join(' ').slice(0, 60),
    'only pdf.js': compared.onlyPdfjs.slice(0, 8).join(' ').slice(0, 60),
  };
}

/** What our own reader takes from each page, beside pdf.js: wrong glyphs show in letters, wrong spaces in words. */
export async function compareReaders(files: readonly PdfFile[]): Promise<Measure[]> {
  const rows: Row[] = [];
  const all: ComparedPage[] = [];
  for (const file of files) {
    try {
      const pages = await compareFile(file);
      rows.push(rowOfFile(file.name, pages));
      all.push(...pages);
    } catch (error) {
      rows.push({ file: file.name, why: messageOf(error) });
    }
  }
  const different = all.filter(({ refused, sameWords }) => refused === undefined && sameWords < 1);
  const ranked = different.toSorted((a, b) => a.sameWords - b.sameWords).slice(0, worst);
  return [
    { name: 'compare', about: 'F1 of our reader’s page texts against pdf.js’s', rows },
    {
      name: 'compare: worst pages',
      about: `${ranked.length} of ${different.length} pages that differ`,
      rows: ranked.map(rowOfPage),
    },
  ];
}
