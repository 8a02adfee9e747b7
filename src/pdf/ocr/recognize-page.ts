import { detectLanguage } from '../../language/detect-language.js';
import type { Language } from '../../language/language-pack.js';
import { messageOf } from '../../platform/errors.js';
import { layOutPage } from '../layout/lay-out-page.js';
import type { PageLines, PlacedRun } from '../layout/page.js';
import type { PagePictures } from '../reader/content/page-reader.js';
import type { Picture } from '../reader/content/painter.js';
import { NotUnderstood } from '../reader/syntax/objects.js';
import { decodeImage, isStencil } from './decode-image.js';
import type { Decoders } from './decoders.js';
import type { Band, OcrEngine, WordLine } from './engine.js';
import { recognizedLanguages, type RecognizedLanguage } from './ocr-folder.js';
import {
  paintPage,
  turnedFrame,
  type Frame,
  type PlacedImage,
  type Raster,
  type Turn,
} from './raster.js';
import { findTurn } from './upright.js';

export interface RecognizedPage {
  page: PageLines;
  /** The mean confidence of the words by their length, from 0 to 100; 0 without words. */
  confidence: number;
  /** Why a picture of the page could not be decoded. */
  broken: Error | undefined;
}

export interface OcrTools {
  engine: OcrEngine;
  decoders: Decoders;
}

/** Recognition works best at this resolution, which finer pictures are reduced to. */
const bestDpi = 300;
/** The page as small as its lines can be found in. */
const skewDpi = 75;
/** Pixels of a page: a drawing of A0 has more at 300 dpi. */
const maxPixels = 36_000_000;
/** Below this confidence, the page may stand on its head. */
const doubtful = 70;
/** In pixels: three or four lines at 300 dpi. */
const leastBand = 200;
/** Lines below this confidence are specks and pictures taken for letters. */
const leastConfidence = 35;

/** Reads the words of a page from its pictures. Throws when it can decode none of them. */
export async function recognizePage(
  { pictures, width, height }: PagePictures,
  number: number,
  { engine, decoders }: OcrTools,
): Promise<RecognizedPage> {
  const frame = { width, height };
  const { images, broken } = await decodeAll(pictures, decoders);
  if (images.length === 0) {
    if (broken !== undefined) throw broken;
    return { page: { number, ...frame, lines: [] }, confidence: 0, broken };
  }
  const { raster, turn, languages } = standUp(images, frame, dpiOf(images, frame), engine);
  const lines = engine.recognize(raster, languages).filter((line) => isText(line));
  const page = layOutPage(runsOf(lines, raster), { number, ...turnedFrame(frame, turn) });
  return { page, confidence: Math.round(confidenceOf(lines)), broken };
}

/** The page as it is read, and its language, by a first look at a part of it. */
function standUp(
  images: readonly PlacedImage[],
  frame: Frame,
  dpi: number,
  engine: OcrEngine,
): { raster: Raster; turn: Turn; languages: readonly RecognizedLanguage[] } {
  const look = (turn: Turn) => {
    const raster = paintPage(images, frame, dpi, turn);
    const lines = engine.recognize(raster, recognizedLanguages, bandOf(raster));
    return { turn, raster, lines, confidence: confidenceOf(lines) };
  };
  let best = look(findTurn(paintPage(images, frame, Math.min(dpi, skewDpi))));
  if (best.confidence < doubtful) {
    const other = look({ ...best.turn, quarters: best.turn.quarters + 2 });
    if (weightOf(other) > weightOf(best)) best = other;
  }
  const { raster, turn } = best;
  return { raster, turn, languages: languagesOf(best.lines) };
}

/** A part of the page with text, in which the language shows: a quarter of the ink, below the head of the page. */
function bandOf({ width, height, grey }: Raster): Band {
  const ink = new Float64Array(height);
  let all = 0;
  for (let at = 0; at < grey.length; at++) {
    if ((grey[at] ?? 255) >= 128) continue;
    const row = Math.floor(at / width);
    ink[row] = (ink[row] ?? 0) + 1;
    all++;
  }
  const rowAt = (share: number) => {
    let left = share * all;
    return ink.findIndex((count) => (left -= count) <= 0);
  };
  const top = Math.max(0, rowAt(0.3));
  return { top, bottom: Math.min(height, Math.max(rowAt(0.55), top + leastBand)) };
}

const codes: Partial<Record<Language, RecognizedLanguage>> = { en: 'eng', es: 'spa', de: 'deu' };

/** The language of the lines alone, or all: letters such as ö and ß suffer when several compete. */
function languagesOf(lines: readonly WordLine[]): readonly RecognizedLanguage[] {
  const text = lines.map(({ words }) => words.map((word) => word.text).join(' ')).join('\n');
  const code = codes[detectLanguage(text)];
  return code === undefined ? recognizedLanguages : [code];
}

function weightOf({ lines, confidence }: { lines: WordLine[]; confidence: number }): number {
  return confidence * lettersOf(lines);
}

/** Decodes the pictures that it can: a broken stamp must not cost the page. */
async function decodeAll(
  pictures: readonly Picture[],
  decoders: Decoders,
): Promise<{ images: PlacedImage[]; broken: Error | undefined }> {
  const images: PlacedImage[] = [];
  let broken: Error | undefined;
  for (const picture of pictures) {
    try {
      images.push(await decodePlaced(picture, decoders));
    } catch (error) {
      broken = new NotUnderstood(messageOf(error), { cause: error });
    }
  }
  return { images, broken };
}

async function decodePlaced(
  { image, matrix, clip }: Picture,
  decoders: Decoders,
): Promise<PlacedImage> {
  const mask = image.dict.stream('SMask') ?? image.dict.stream('Mask');
  return {
    image: await decodeImage(image, decoders),
    mask: mask === undefined ? undefined : await decodeMask(mask, decoders),
    isStencil: isStencil(image),
    matrix,
    clip,
  };
}

async function decodeMask(mask: Parameters<typeof decodeImage>[0], decoders: Decoders) {
  const decoded = await decodeImage(mask, decoders);
  // In a stencil, 0 paints; in a soft mask, 255.
  if (isStencil(mask)) decoded.grey = decoded.grey.map((value) => 255 - value);
  return decoded;
}

/** The finest resolution of the page's pictures, as far as it helps. */
function dpiOf(images: readonly PlacedImage[], { width, height }: Frame): number {
  const own = images.map(({ image, matrix }) => {
    const points = Math.hypot(matrix[0], matrix[1]);
    return points > 0 ? (image.width * 72) / points : 0;
  });
  const dpi = Math.max(skewDpi, Math.min(bestDpi, ...[Math.max(0, ...own)]));
  return Math.min(dpi, 72 * Math.sqrt(maxPixels / Math.max(1, width * height)));
}

function lettersOf(lines: readonly WordLine[]): number {
  return lines.flatMap(({ words }) => words).reduce((sum, { text }) => sum + text.length, 0);
}

function confidenceOf(lines: readonly WordLine[]): number {
  const words = lines.flatMap((line) => line.words);
  const sum = words.reduce((total, { text, confidence }) => total + text.length * confidence, 0);
  return words.length === 0 ? 0 : sum / lettersOf(lines);
}

function isText(line: WordLine): boolean {
  return (
    confidenceOf([line]) >= leastConfidence &&
    line.words.some(({ text }) => /[\p{L}\p{N}]/u.test(text))
  );
}

/** The share by which heights of one size differ, since not every line has letters of each height. */
const sameSize = 0.15;

/** One run per word, in points. Text of nearly the page's usual size has exactly that size. */
function runsOf(lines: readonly WordLine[], { dpi }: Raster): PlacedRun[] {
  const scale = 72 / dpi;
  const usual = usualHeight(lines);
  return lines.flatMap(({ words, baseline, height }) => {
    const isUsual = Math.abs(height - usual) <= sameSize * usual;
    const size = Math.max(2.5, Math.round(2 * scale * (isUsual ? usual : height)) / 2);
    return words.map(({ text, left, right }) => ({
      quarter: 0,
      run: {
        text,
        x: left * scale,
        y: baseline * scale,
        width: (right - left) * scale,
        size,
        bold: false,
        italic: false,
        mono: false,
        rightToLeft: false,
        spaced: true,
      },
    }));
  });
}

/** The height of the line in the middle, by letters. */
function usualHeight(lines: readonly WordLine[]): number {
  const sorted = lines
    .map((line) => ({ height: line.height, letters: lettersOf([line]) }))
    .sort((a, b) => a.height - b.height);
  let rest = lettersOf(lines) / 2;
  for (const { height, letters } of sorted) {
    rest -= letters;
    if (rest <= 0) return height;
  }
  return 0;
}
