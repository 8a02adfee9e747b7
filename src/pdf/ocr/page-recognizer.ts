import { serialize } from 'node:v8';
import { layOutPage } from '../layout/lay-out-page.js';
import { withCells, type PageLines } from '../layout/page.js';
import type { OpenPdf } from '../reader/open-pdf.js';
import { agreementOf } from './choose-pages.js';
import { loadDecoders } from './decoders.js';
import { OcrEngine } from './engine.js';
import { recognizePage, type OcrTools } from './recognize-page.js';

export interface Recognition {
  /** Serialised PageLines[], of one page. */
  pages: Uint8Array;
  /** From 0 to 100; 0 when the pictures show no words. */
  confidence: number;
  /** The share of the words in the file's own text that the picture shows; 1 without such words. */
  agreement: number;
  /** The file's own text, shortened. */
  text: string;
}

/** The most characters of a distrusted layer that are kept per page. */
const longestText = 500;

/** Reads the pictures of pages. It loads the engine when a page first needs it. */
export class PageRecognizer {
  #tools: Promise<OcrTools> | undefined;

  async run(file: OpenPdf, number: number): Promise<Recognition> {
    const seen = file.readPictures(number);
    const own = await file.readPage(number);
    const { width, height } = own;
    const before = textOf(layOutPage(own.runs, { number, width, height }));
    const tools = await (this.#tools ??= load());
    const { page, confidence } = await recognizePage(
      seen?.pictures ?? [],
      seen ?? own,
      number,
      tools,
    );
    return {
      pages: serialize([page]),
      confidence,
      agreement: agreementOf(before, textOf(page)),
      text: before.slice(0, longestText),
    };
  }

  forget(): void {
    this.#tools = undefined;
  }
}

async function load(): Promise<OcrTools> {
  const [engine, decoders] = await Promise.all([OcrEngine.load(), loadDecoders()]);
  return { engine, decoders };
}

function textOf({ lines }: PageLines): string {
  return lines
    .flatMap((line) => withCells(line))
    .map(({ text }) => text)
    .join('\n');
}
