import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { deserialize, serialize } from 'node:v8';
import { AppError, codeOf, messageOf } from '../../../platform/errors.js';
import { assembleSections } from '../document/assemble.js';
import { FontBook } from '../document/font-book.js';
import { languagesOf } from '../document/language.js';
import { explainFailure, openDocument, type PDFDocumentProxy } from '../document/open-document.js';
import { readOutline, type OutlineEntry } from '../document/outline.js';
import { readPage } from '../document/read-page.js';
import type { PdfSection } from '../extract-pdf.js';
import type { PageLines } from '../layout/page.js';
import type { FromThread, PdfResult, PdfTask, ToThread } from './protocol.js';

interface DocumentFacts {
  outline: OutlineEntry[];
  title: string;
}

interface OpenFile {
  document: PDFDocumentProxy;
  fonts: FontBook;
}

/** Niceness: where cores are short, people's requests go before documents. */
const background = 10;
/** Sections per buffer: deserialising one takes the main thread about a millisecond. */
const batchSize = 40;

/** The work of one PDF thread: opens each file once, and keeps it until told to forget it. */
class PdfThread {
  readonly #files = new Map<number, Promise<OpenFile>>();

  constructor(readonly onPage: (id: number, page: number) => void) {}

  async run(id: number, task: PdfTask): Promise<PdfResult> {
    if (task.kind === 'open') {
      const { document } = await this.#open(task.file, task.bytes);
      return { pageCount: document.numPages };
    }
    if (task.kind === 'read') return this.#read(id, task);
    if (task.kind === 'outline') return this.#outline(task.file, task.bytes);
    return this.#assemble(task);
  }

  async forget(file: number): Promise<void> {
    const opened = await this.#files.get(file)?.catch(() => undefined);
    this.#files.delete(file);
    await opened?.document.loadingTask.destroy();
  }

  #open(file: number, bytes: SharedArrayBuffer): Promise<OpenFile> {
    let opened = this.#files.get(file);
    if (opened === undefined) {
      opened = openDocument(new Uint8Array(bytes)).then((document) => ({
        document,
        fonts: new FontBook(),
      }));
      this.#files.set(file, opened);
    }
    return opened;
  }

  async #read(id: number, task: Extract<PdfTask, { kind: 'read' }>): Promise<PdfResult> {
    const { document, fonts } = await this.#open(task.file, task.bytes);
    const pages: PageLines[] = [];
    for (let number = task.from; number <= task.to; number++) {
      try {
        pages.push(await readPage(await document.getPage(number), fonts));
      } catch (error) {
        throw explainFailure(error, number);
      }
      this.onPage(id, number);
    }
    const withoutText = pages.filter((page) => page.lines.length === 0).map((page) => page.number);
    return { pages: serialize(pages), withoutText };
  }

  async #outline(file: number, bytes: SharedArrayBuffer): Promise<PdfResult> {
    const { document } = await this.#open(file, bytes);
    const { info } = await document.getMetadata().catch(() => ({ info: {} }));
    const title = 'Title' in info && typeof info.Title === 'string' ? info.Title : '';
    const facts: DocumentFacts = { outline: await readOutline(document), title };
    return { outline: serialize(facts) };
  }

  #assemble(task: Extract<PdfTask, { kind: 'assemble' }>): PdfResult {
    const pages = task.pages.flatMap((part) => deserialize(part) as PageLines[]);
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
    const batches: Uint8Array[] = [];
    for (let at = 0; at < sections.length; at += batchSize) {
      batches.push(serialize(sections.slice(at, at + batchSize)));
    }
    return { batches, letters: sections.reduce((sum, section) => sum + section.content.length, 0) };
  }
}

function buffersOf(result: PdfResult): ArrayBuffer[] {
  const parts =
    'pages' in result
      ? [result.pages]
      : 'outline' in result
        ? [result.outline]
        : 'batches' in result
          ? result.batches
          : [];
  return parts.flatMap((part) => (part.buffer instanceof ArrayBuffer ? [part.buffer] : []));
}

const port = parentPort;
// Imported outside of a thread, this module does nothing.
if (port !== null) {
  // Only Linux has priorities per thread; elsewhere the whole server would step back.
  if (process.platform === 'linux') setPriority(background);
  const send = (message: FromThread, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);
  const thread = new PdfThread((id, page) => send({ kind: 'page', id, page }));
  port.on('message', (message: ToThread) => {
    if (message.kind === 'forget') {
      void thread.forget(message.file);
      return;
    }
    const { id, task } = message;
    thread.run(id, task).then(
      (result) => send({ kind: 'done', id, result }, buffersOf(result)),
      (error: unknown) => {
        const page = error instanceof AppError ? error.page : undefined;
        send({ kind: 'failed', id, code: codeOf(error), message: messageOf(error), page });
      },
    );
  });
}
