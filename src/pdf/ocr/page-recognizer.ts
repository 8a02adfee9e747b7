import { serialize } from 'node:v8';
import { layOutPage } from '../layout/lay-out-page.js';
import { withCells, type PageLines } from '../layout/page.js';
import type { OpenPdf } from '../reader/open-pdf.js';
import { agreementOf, type PictureReason } from './choose-pages.js';
import { loadDecoders } from './decoders.js';
import { OcrEngine } from './engine.js';
import { recognizePage, type OcrTools } from './recognize-page.js';

export interface Recognition {
  /** Serialised PageLines[], of one page. */
  pages: Uint8Array;
  /** From 0 to 100; 0 when the pictures show no words. */
  confidence: number;
  /** The text layer, and whether the picture shows it. */
  layer?: Layer;
}

export interface Layer {
  /** The share of its words that the picture shows; 1 without words. */
  agreement: number;
  /** Shortened. */
  text: string;
}

/** The most characters of a distrusted layer that are kept per page. */
const longestText = 500;

/** Reads the pictures of pages. It loads the engine when a page first needs it. */
export class PageRecognizer {
  #tools: Promise<OcrTools> | undefined;

  /** Errors: those of the decoders, when a picture that the page can't do without is broken. */
  async run(file: OpenPdf, number: number, reason: PictureReason): Promise<Recognition> {
    const tools = await (this.#tools ??= load());
    const { page, confidence, broken } = await recognizePage(
      file.readPictures(number),
      number,
      tools,
    );
    const recognition = { pages: serialize([page]), confidence };
    if (reason === 'needed') return recognition;
    // The layer may be the text of the broken picture.
    if (broken !== undefined) throw broken;
    const { runs, width, height } = await file.readPage(number);
    const text = textOf(layOutPage(runs, { number, width, height }));
    const agreement = agreementOf(text, textOf(page));
    return { ...recognition, layer: { agreement, text: text.slice(0, longestText) } };
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
