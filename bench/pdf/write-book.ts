import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Marked } from 'marked';
import { packageRoot } from '../../src/platform/package-root.js';
import type { Draft } from './drafts.js';
import { defects, type Verdict } from './verdicts.js';

const run = promisify(execFile);

/** What the book shows: a draft, and the verdicts on what it was before its text changed. */
export interface BookEntry {
  draft: Draft;
  before: readonly Verdict[];
}

/** Of the pages of a long draft, the first ones are shown. */
const mostPages = 5;
/** In pixels: text of 8 points is readable. */
const pageWidth = 800;

/** Writes one HTML file that shows each draft beside its pages and takes verdicts. */
export async function writeBook(entries: readonly BookEntry[], path: string): Promise<void> {
  const pages = new Map<string, string>();
  const drafts: unknown[] = [];
  for (const { before, draft } of entries) {
    const last = Math.min(draft.pageTo, draft.pageFrom + mostPages - 1);
    const images: string[] = [];
    for (let page = draft.pageFrom; page <= last; page += 1) {
      const name = `${draft.file}, page ${page}`;
      images.push(name);
      if (!pages.has(name)) pages.set(name, await drawPage(draft.path, page));
    }
    drafts.push({
      facts: factsOf(draft, before),
      was: before.map(({ defect, verdict }) => defect ?? verdict).join(', '),
      html: markdown.parse(draft.content),
      text: draft.content,
      images,
      more: draft.pageTo - last,
    });
  }
  const data = JSON.stringify({ drafts, pages: Object.fromEntries(pages), defects });
  // "<" could end the script element.
  const element = `<script id="data" type="application/json">${data.replaceAll('<', '\\u003c')}</script>`;
  const template = await readFile(join(packageRoot(), 'bench', 'pdf', 'book.html'), 'utf8');
  await writeFile(
    path,
    template.replace('<!-- drafts -->', () => element),
  );
}

/** The beginning of a line of verdicts.jsonl. The page adds the verdict. */
function factsOf(draft: Draft, before: readonly Verdict[]) {
  const { file, hash, kind, pageFrom, pageTo, set, sha256, title } = draft;
  return {
    sha256,
    file,
    kind,
    set,
    title,
    page_from: pageFrom,
    page_to: pageTo,
    hash,
    ...(before.length > 0 && { replaces: before.map((verdict) => verdict.hash) }),
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Documents are foreign text: HTML, links and pictures in it are shown as text. */
const markdown = new Marked({
  async: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    link: ({ raw }) => escapeHtml(raw),
    image: ({ raw }) => escapeHtml(raw),
  },
});

export async function requirePdftoppm(): Promise<void> {
  await run('pdftoppm', ['-v']).catch(() => {
    throw new Error(
      'pdftoppm is missing, which draws the pages of the book. Install the package poppler-utils, then try again.',
    );
  });
}

/** The page as a data URL, or an empty one if pdftoppm cannot draw it. */
async function drawPage(path: string, page: number): Promise<string> {
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
