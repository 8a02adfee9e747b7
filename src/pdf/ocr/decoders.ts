import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ocrFiles, ocrFolder } from './ocr-folder.js';

interface JpegImage {
  width: number;
  height: number;
  numComponents: number;
  parse(bytes: Uint8Array): void;
  getData(options: { width: number; height: number; isSourcePDF: boolean }): Uint8Array;
}

interface Chunk {
  data: Uint8Array;
  start: number;
  end: number;
}

/** What the product uses of pdf.js's image decoders. */
export interface Decoders {
  JpegImage: new () => JpegImage;
  Jbig2Image: new () => { parseChunks(chunks: Chunk[]): Uint8Array };
  CCITTFaxDecoder: new (
    source: { next(): number },
    options: Record<string, number | boolean>,
  ) => { readNextChar(): number };
  JpxImage: {
    setOptions(options: Record<string, unknown>): void;
    decode(bytes: Uint8Array): Promise<Uint8Array>;
  };
  setVerbosityLevel(level: number): void;
  /** The decoders of JPEG and JBIG2 call `check` with each size that a file states, before they take memory for it. */
  limitSizes(check: (width: number, height: number, components: number) => void): void;
}

export async function loadDecoders(folder = ocrFolder()): Promise<Decoders> {
  const decoders = (await import(pathToFileURL(join(folder, ocrFiles.decoders)).href)) as Decoders;
  decoders.setVerbosityLevel(0);
  // A handler of its own, so that the decoder never fetches anything.
  const handler = { sendWithPromise: () => readFile(join(folder, ocrFiles.openjpeg)) };
  decoders.JpxImage.setOptions({ useWasm: true, useWorkerFetch: false, wasmUrl: null, handler });
  return decoders;
}
