import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { decodeText } from '../../src/documents/decode-text.js';
import { launchBrowser } from '../../test/browser/support/find-browser.js';
import { readByPdftotext } from '../pdf/readers.js';
import { trigramsOf, wordsOf } from '../pdf/scores.js';
import type { Draft } from './drafts.js';
import { saveAs } from './office.js';

const run = promisify(execFile);

/** What stands beside a draft: pages of a PDF, or the text of the file and the line that the draft begins at. */
export type DraftSource =
  | { pdf: string; pageFrom: number; pageTo: number }
  | { text: string; line: number };

/** In words: the beginning of a draft, by which its place in a printed document is found. */
const beginning = 60;
/** Of a draft whose end is not known, so many pages are shown. */
const pagesShown = 2;
/** In pixels: text of 8 points is readable. */
const pageWidth = 800;

/** Finds drafts in their documents. Documents that are neither PDF nor text are printed once, to PDFs in `folder`. */
export class DraftSources {
  readonly #printed = new Map<string, Promise<{ pdf: string; pages: string[][] }>>();

  constructor(readonly folder: string) {}

  async find({ content, format, pageFrom, pageTo, path, title }: Draft): Promise<DraftSource> {
    if (format === 'pdf') return { pdf: path, pageFrom, pageTo };
    if (format === 'markdown' || format === 'text') {
      const { text } = decodeText(await readFile(path));
      return { text, line: lineOf(text, `${title} ${content}`) };
    }
    const printing = this.#printed.get(path) ?? this.#print(path, format === 'html');
    this.#printed.set(path, printing);
    const { pages, pdf } = await printing;
    const wanted = new Set(trigramsOf(wordsOf(content).slice(0, beginning)));
    const found = pages.map((page) => page.filter((words) => wanted.has(words)).length);
    const page = 1 + found.indexOf(Math.max(...found));
    return { pdf, pageFrom: page, pageTo: Math.min(pages.length, page + pagesShown - 1) };
  }

  async #print(path: string, isPage: boolean): Promise<{ pdf: string; pages: string[][] }> {
    const place = await mkdtemp(join(this.folder, 'printed-'));
    const pdf = isPage ? await printPage(path, place) : await saveAs(path, 'pdf', place);
    const text = (await readByPdftotext(pdf)) ?? '';
    return { pdf, pages: text.split('\f').map((page) => trigramsOf(wordsOf(page))) };
  }
}

/** Prints a file of HTML. No script of it runs, and nothing is fetched from a network. */
async function printPage(path: string, folder: string): Promise<string> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ javaScriptEnabled: false, offline: true });
    await page.goto(pathToFileURL(path).href);
    const pdf = join(folder, 'page.pdf');
    await page.pdf({ path: pdf, format: 'A4' });
    return pdf;
  } finally {
    await browser.close();
  }
}

/** The first line of a text that stands in the beginning of a draft. */
function lineOf(text: string, draft: string): number {
  const keyOf = (words: string) => wordsOf(words).join(' ');
  const wanted = keyOf(draft).slice(0, 500);
  const line = text.split('\n').findIndex((each) => {
    const key = keyOf(each);
    return key.length >= 12 && wanted.includes(key);
  });
  return Math.max(0, line);
}

export async function requirePdftoppm(): Promise<void> {
  await run('pdftoppm', ['-v']).catch(() => {
    throw new Error(
      'pdftoppm is missing, which draws the pages of the book. Install the package poppler-utils, then try again.',
    );
  });
}

/** The page as a data URL, or an empty one if pdftoppm cannot draw it. */
export async function drawPage(path: string, page: number): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'book-'));
  try {
    const range = ['-f', String(page), '-l', String(page)];
    const size = ['-scale-to-x', String(pageWidth), '-scale-to-y', '-1'];
    const format = ['-jpeg', '-jpegopt', 'quality=60'];
    await run('pdftoppm', [...range, ...size, ...format, path, join(place, 'page')]).catch(
      () => undefined,
    );
    const [name] = await readdir(place);
    if (name === undefined) return 'data:,';
    return `data:image/jpeg;base64,${(await readFile(join(place, name))).toString('base64')}`;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
