import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ocrFiles, ocrFolder, recognizedLanguages, type RecognizedLanguage } from './ocr-folder.js';
import type { Raster } from './raster.js';

/** A word in pixels of the raster. */
export interface Word {
  text: string;
  /** From 0 to 100. */
  confidence: number;
  left: number;
  right: number;
}

export interface WordLine {
  words: Word[];
  /** The height of the baseline, from the top. */
  baseline: number;
  /** From the top of the highest letters to the bottom of the lowest. */
  height: number;
}

/** Rows of a raster. */
export interface Band {
  top: number;
  bottom: number;
}

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

interface Layout {
  blocks?: {
    paragraphs: {
      lines: {
        rowAttributes: { rowHeight: number };
        baseline: Box;
        bbox: Box;
        words: { text: string; confidence: number; bbox: Box }[];
      }[];
    }[];
  }[];
}

interface TessApi {
  Init(path: null, languages: string, mode: number): number;
  SetVariable(name: string, value: string): void;
  SetImageFile(exif: number, angle: number): number;
  Recognize(monitor: null): number;
  GetJSONText(): string;
  Clear(): void;
}

interface TessModule {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  TessBaseAPI: new () => TessApi;
}

type TessFactory = (options: Record<string, unknown>) => Promise<TessModule>;

/** Tesseract's neural mode, which the language data are made for. */
const neural = 1;
/** Tesseract finds columns, lines and tables itself. */
const automatic = '3';
/** It takes the few lines of a band for vertical writing unless it is told that they are a paragraph. */
const oneBlock = '6';
const silent = () => undefined;

/** Tesseract in WebAssembly. It reads its files from the product's folder alone. */
export class OcrEngine {
  readonly #apis = new Map<string, TessApi>();

  private constructor(readonly module: TessModule) {}

  /** Takes a second and 100 MB, which are free when the engine is dropped. */
  static async load(folder = ocrFolder()): Promise<OcrEngine> {
    const create = createRequire(import.meta.url)(join(folder, ocrFiles.core)) as TessFactory;
    const wasmBinary = await readFile(join(folder, ocrFiles.wasm));
    const module = await create({
      wasmBinary,
      TesseractProgress: silent,
      print: silent,
      printErr: silent,
    });
    for (const code of recognizedLanguages) {
      const packed = await readFile(join(folder, `${code}.traineddata.gz`));
      module.FS.writeFile(`./${code}.traineddata`, await promisify(gunzip)(packed));
    }
    return new OcrEngine(module);
  }

  /** The lines of an upright page in these languages, or those in a band of it. */
  recognize(
    { width, height, grey, dpi }: Raster,
    languages: readonly RecognizedLanguage[],
    band?: Band,
  ): WordLine[] {
    const api = this.#apiFor(languages);
    const { FS } = this.module;
    const { top, bottom } = band ?? { top: 0, bottom: height };
    const header = Buffer.from(`P5\n${width} ${bottom - top}\n255\n`, 'latin1');
    FS.writeFile('/input', Buffer.concat([header, grey.subarray(top * width, bottom * width)]));
    api.SetVariable('user_defined_dpi', String(Math.round(dpi)));
    try {
      if (api.SetImageFile(1, 0) !== 0) throw new Error('The picture of the page is not readable.');
      api.SetVariable('tessedit_pageseg_mode', band === undefined ? automatic : oneBlock);
      api.Recognize(null);
      return linesOf(JSON.parse(api.GetJSONText()) as Layout);
    } finally {
      api.Clear();
      FS.unlink('/input');
    }
  }

  #apiFor(languages: readonly RecognizedLanguage[]): TessApi {
    const codes = languages.join('+');
    const known = this.#apis.get(codes);
    if (known !== undefined) return known;
    const api = new this.module.TessBaseAPI();
    if (api.Init(null, codes, neural) !== 0) {
      throw new Error(`Text recognition does not start with the languages ${codes}.`);
    }
    this.#apis.set(codes, api);
    return api;
  }
}

function linesOf({ blocks = [] }: Layout): WordLine[] {
  return blocks
    .flatMap(({ paragraphs }) => paragraphs)
    .flatMap(({ lines }) => lines)
    .map(({ words, baseline, rowAttributes }) => ({
      words: words.map(({ text, confidence, bbox }) => ({
        text,
        confidence,
        left: bbox.x0,
        right: bbox.x1,
      })),
      baseline: (baseline.y0 + baseline.y1) / 2,
      height: rowAttributes.rowHeight,
    }));
}
