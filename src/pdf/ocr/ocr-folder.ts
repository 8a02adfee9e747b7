import { join } from 'node:path';
import { packageRoot } from '../../platform/package-root.js';

/** When pages are recognised: never, where text is missing or unusable, or wherever a picture fills the page. */
export const ocrModes = ['off', 'auto', 'always'] as const;
export type OcrMode = (typeof ocrModes)[number];

/** Tesseract's codes of the languages whose data are installed. */
export const recognizedLanguages = ['eng', 'spa', 'deu'] as const;
export type RecognizedLanguage = (typeof recognizedLanguages)[number];

export const ocrFiles = {
  core: 'tesseract-core.cjs',
  wasm: 'tesseract-core.wasm',
  openjpeg: 'openjpeg.wasm',
  decoders: 'image-decoders.mjs',
} as const;

/** The folder with the engine, its languages and the image decoders. The build makes it. */
export function ocrFolder(): string {
  return join(packageRoot(), 'dist/ocr');
}
