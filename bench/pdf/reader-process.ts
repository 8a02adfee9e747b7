import { readFile } from 'node:fs/promises';
import {
  createPdfExtractor,
  type ExtractedPdf,
  type ExtractOptions,
} from '../../src/documents/threads/extract-pdf.js';
import { codeOf, messageOf } from '../../src/platform/errors.js';

/** `ours` reads as ingestion does, `plain` as pdf-parse does when nothing is asked of it but the text. */
export type ReaderName = 'ours' | 'plain';

export interface ReadRequest {
  path: string;
  /** Only how long it took: nothing is sent back that would have to be copied. */
  timeOnly: boolean;
}

export interface PlainText {
  text: string;
  /** Text of each page, from the first. */
  pages: string[];
  /** Titles of all bookmarks, in order. */
  bookmarks: string[];
}

export interface ReadReply {
  /** `ok`, or the code of the failure. */
  outcome: string;
  message: string;
  seconds: number;
  /** Seconds of processor time in all threads: other work on the machine does not add to them. */
  cpuSeconds: number;
  pageCount: number;
  extracted?: ExtractedPdf;
  plain?: PlainText;
}

type Read = Pick<ReadReply, 'pageCount' | 'extracted' | 'plain'>;

/** Given by the process that starts this one: loading the configuration here would count as reading. */
export interface ReaderSettings {
  /** The address of the threads' program. */
  thread: string;
  threadMemoryMb: number;
  limits: ExtractOptions;
}

/** Two threads, as many as the measures speak of, whatever the default is. */
function openOurs(settings: ReaderSettings): (request: ReadRequest) => Promise<Read> {
  const extractor = createPdfExtractor({
    workers: 2,
    workerMemoryMb: settings.threadMemoryMb,
    program: new URL(settings.thread),
  });
  process.once('disconnect', () => void extractor.close());
  return async ({ path, timeOnly }) => {
    const extracted = await extractor.extract(await readFile(path), settings.limits, {
      onPages: () => undefined,
    });
    return { pageCount: extracted.pageCount, ...(timeOnly ? {} : { extracted }) };
  };
}

interface Bookmark {
  title: string;
  items: readonly Bookmark[];
}

function titlesOf(bookmarks: readonly Bookmark[]): string[] {
  return bookmarks.flatMap(({ title, items }) => [title, ...titlesOf(items)]);
}

/** No module of ours touches pdf.js in this process: what it patches there would speed up the other side. */
async function readPlain({ path, timeOnly }: ReadRequest): Promise<Read> {
  const { PDFParse } = await import('pdf-parse');
  const parser = new PDFParse({ data: new Uint8Array(await readFile(path)), verbosity: 0 });
  try {
    const { total, text, pages } = await parser.getText({ pageJoiner: '' });
    if (timeOnly) return { pageCount: total };
    const { outline } = await parser.getInfo();
    const bookmarks = titlesOf(outline ?? []);
    return { pageCount: total, plain: { text, pages: pages.map((page) => page.text), bookmarks } };
  } finally {
    await parser.destroy();
  }
}

async function answer(
  read: (request: ReadRequest) => Promise<Read>,
  request: ReadRequest,
): Promise<ReadReply> {
  const started = performance.now();
  const usedBefore = process.cpuUsage();
  const took = () => {
    const { user, system } = process.cpuUsage(usedBefore);
    const seconds = (performance.now() - started) / 1000;
    return { seconds, cpuSeconds: (user + system) / 1_000_000 };
  };
  try {
    const done = await read(request);
    return { outcome: 'ok', message: '', ...took(), ...done };
  } catch (error) {
    return { outcome: codeOf(error), message: messageOf(error), ...took(), pageCount: 0 };
  }
}

// Imported for its types, this module does nothing.
if (process.send !== undefined) {
  const [, , name, settings = ''] = process.argv;
  const read = name === 'ours' ? openOurs(JSON.parse(settings) as ReaderSettings) : readPlain;
  process.on('message', (request: ReadRequest) => {
    void answer(read, request).then((reply) => process.send?.(reply));
  });
}
