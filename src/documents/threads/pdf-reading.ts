import { deserialize, serialize } from 'node:v8';
import { assembleSections } from '../../pdf/sections/assemble.js';
import { languagesOf } from '../../sections/language.js';
import { isNotUnderstood, openPdf, type OpenPdf } from '../../pdf/reader/open-pdf.js';
import { openWithPdfParse } from '../../pdf/reader/second-reader.js';
import type { OutlineEntry } from '../../pdf/reader/syntax/bookmarks.js';
import type { PdfSection } from './extract-pdf.js';
import { mergeHidden } from './hidden-texts.js';
import { PageRecognizer } from '../../pdf/ocr/page-recognizer.js';
import { pictureOf, type PageReading } from '../../pdf/ocr/choose-pages.js';
import { layOutPage } from '../../pdf/layout/lay-out-page.js';
import type { HiddenText, PageLines } from '../../pdf/layout/page.js';
import { packSections } from './packed-sections.js';
import type { PdfResult, PdfSource, PdfTask, ReaderName } from './protocol.js';

interface DocumentFacts {
  outline: OutlineEntry[];
  title: string;
}

/** The work of a thread on PDFs. It opens each file once and keeps it until told to forget it. */
export class PdfReading {
  readonly #files = new Map<number, { reader: ReaderName; opened: Promise<OpenPdf> }>();

  readonly #recognizer = new PageRecognizer();

  constructor(readonly onPage: (isRead: boolean) => void) {}

  async run(task: PdfTask): Promise<PdfResult> {
    if (task.kind === 'open') {
      return { pageCount: (await this.#open(task)).pageCount };
    }
    if (task.kind === 'read') return this.#read(task);
    if (task.kind === 'recognize') {
      return this.#recognizer.run(await this.#open(task), task.page, task.reason);
    }
    if (task.kind === 'outline') return this.#outline(task);
    return this.#assemble(task);
  }

  async forget(file: number): Promise<void> {
    const opened = await this.#files.get(file)?.opened.catch(() => undefined);
    this.#files.delete(file);
    await opened?.close();
    // The engine holds 100 MB.
    if (this.#files.size === 0) this.#recognizer.forget();
  }

  #open({ file, bytes, reader }: PdfSource): Promise<OpenPdf> {
    const known = this.#files.get(file);
    if (known?.reader === reader) return known.opened;
    const view = new Uint8Array(bytes);
    const opened = reader === 'own' ? Promise.resolve(view).then(openPdf) : openWithPdfParse(view);
    this.#files.set(file, { reader, opened });
    return opened;
  }

  async #read(task: Extract<PdfTask, { kind: 'read' }>): Promise<PdfResult> {
    const file = await this.#open(task);
    const pages: PageLines[] = [];
    const hidden: HiddenText[] = [];
    const notUnderstood: number[] = [];
    const pictured: PageReading[] = [];
    for (let number = task.from; number <= task.to; number++) {
      let picture: PageReading | undefined;
      try {
        const text = await file.readPage(number);
        const { width, height } = text;
        pages.push(layOutPage(text.runs, { number, width, height }, text));
        hidden.push(...mergeHidden(text.hidden));
        picture = pictureOf(text, number, task.ocr);
        if (picture !== undefined) pictured.push(picture);
      } catch (error) {
        if (!isNotUnderstood(error)) throw error;
        notUnderstood.push(number);
        pages.push({ number, width: 0, height: 0, lines: [] });
        hidden.push({ page: number, reason: 'unchecked', text: '' });
      }
      this.onPage(picture === undefined);
    }
    const withoutText = pages.filter((page) => page.lines.length === 0).map((page) => page.number);
    return { pages: serialize(pages), withoutText, notUnderstood, hidden, pictured };
  }

  async #outline(source: PdfSource): Promise<PdfResult> {
    const opened = await this.#open(source);
    const facts: DocumentFacts = { outline: await opened.outline(), title: await opened.title() };
    return { outline: serialize(facts) };
  }

  #assemble(task: Extract<PdfTask, { kind: 'assemble' }>): PdfResult {
    const read = task.pages.flatMap((part) => deserialize(part) as PageLines[]);
    // Recognised pages come last, and replace what was read of them.
    const pages = [...new Map(read.map((page) => [page.number, page])).values()];
    const { outline, title } = deserialize(task.outline) as DocumentFacts;
    const sized = assembleSections(pages, outline, title, task);
    const languages = languagesOf(sized.map((section) => section.content));
    const sections = sized.map(({ title: own, content, pageFrom, pageTo }, index): PdfSection => ({
      title: own,
      content,
      pageFrom,
      pageTo,
      language: languages[index] ?? 'other',
    }));
    return {
      batches: packSections(sections),
      letters: sections.reduce((sum, section) => sum + section.content.length, 0),
    };
  }
}
