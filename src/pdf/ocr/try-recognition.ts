import { loadDecoders } from './decoders.js';
import { OcrEngine } from './engine.js';
import { recognizedLanguages } from './ocr-folder.js';

/** In pixels: Tesseract refuses a picture that is smaller than a letter. */
const side = 100;

/** Starts the decoders, and the engine with each language and with all. Throws when one does not start. */
export async function tryRecognition(folder?: string): Promise<void> {
  await loadDecoders(folder);
  const engine = await OcrEngine.load(folder);
  const paper = {
    width: side,
    height: side,
    grey: new Uint8Array(side * side).fill(255),
    dpi: 300,
  };
  for (const language of recognizedLanguages) engine.recognize(paper, [language]);
  engine.recognize(paper, recognizedLanguages);
}
