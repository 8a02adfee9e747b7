import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Marked } from 'marked';
import { packageRoot } from '../../src/platform/package-root.js';
import { DraftSources, drawPage } from './draft-source.js';
import type { Draft } from './drafts.js';
import { defects, type Verdict } from './verdicts.js';

/** What the book shows: a draft, and the verdicts on what it was before its text changed. */
export interface BookEntry {
  draft: Draft;
  before: readonly Verdict[];
}

/** Of the pages of a long draft, the first ones are shown. */
const mostPages = 5;
/** Writes one HTML file that shows each draft beside its source and takes verdicts. */
export async function writeBook(entries: readonly BookEntry[], path: string): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'book-'));
  const sources = new DraftSources(place);
  const pages = new Map<string, string>();
  const texts = new Map<string, string>();
  const drafts: unknown[] = [];
  try {
    for (const { before, draft } of entries) {
      const source = await sources.find(draft);
      const images: string[] = [];
      if ('text' in source) texts.set(draft.file, source.text);
      const { pageFrom, pageTo } = 'pdf' in source ? source : { pageFrom: 1, pageTo: 0 };
      const last = Math.min(pageTo, pageFrom + mostPages - 1);
      for (let page = pageFrom; page <= last && 'pdf' in source; page += 1) {
        const name = `${draft.file}, page ${page}`;
        images.push(name);
        if (!pages.has(name)) pages.set(name, await drawPage(source.pdf, page));
      }
      drafts.push({
        facts: factsOf(draft, before),
        was: before.map(({ defect, verdict }) => defect ?? verdict).join(', '),
        html: markdown.parse(draft.content),
        text: draft.content,
        images,
        more: pageTo - last,
        line: 'line' in source ? source.line : null,
      });
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
  const data = JSON.stringify({
    drafts,
    pages: Object.fromEntries(pages),
    texts: Object.fromEntries(texts),
    defects,
  });
  // "<" could end the script element.
  const element = `<script id="data" type="application/json">${data.replaceAll('<', '\\u003c')}</script>`;
  const template = await readFile(join(packageRoot(), 'bench', 'documents', 'book.html'), 'utf8');
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
