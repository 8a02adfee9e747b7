import type { PageText } from '../layout/page.js';
import type { OcrMode } from './ocr-folder.js';

/** Why a page's pictures may be read instead of its text. */
export type PictureReason =
  /** There is no text, or none that means anything. */
  | 'needed'
  /** Another program's text lies on the picture, and may be wrong. */
  | 'layered';

export interface PageReading {
  page: number;
  reason: PictureReason;
}

/** Pictures over this share of the page are the page itself. */
const mainShare = 0.5;
/** A page with less of its characters in words is unusable. */
const leastLetters = 0.5;
const replacement = /[\uFFFD\uE000-\uF8FF]/gu;

/** Whether recognition may read the page; undefined when its text is good. */
export function pictureOf(text: PageText, page: number, mode: OcrMode): PageReading | undefined {
  if (mode === 'off') return undefined;
  const { runs, scan } = text;
  if (runs.every(({ run }) => run.text.trim() === '')) return { page, reason: 'needed' };
  if (scan === undefined || scan.share < mainShare) return undefined;
  if (mode === 'always' || !isUsable(text)) return { page, reason: 'needed' };
  return scan.isLayered ? { page, reason: 'layered' } : undefined;
}

function isUsable({ runs }: PageText): boolean {
  const text = runs.map(({ run }) => run.text).join('');
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const visible = text.replaceAll(' ', '').length;
  const unknown = text.match(replacement)?.length ?? 0;
  return letters - unknown >= leastLetters * visible;
}

/** The pages of a layer that are compared with their pictures: the first, and the one in the middle. */
export function samplesOf(layered: readonly PageReading[]): PageReading[] {
  const middle = layered[Math.floor(layered.length / 2)];
  return [...new Set([layered[0], middle])].filter((page) => page !== undefined);
}

/** A layer is trusted when its pictures show at least this share of its words. */
export const leastAgreement = 0.7;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The share of words of the first text that the second has, each as often as it occurs; 1 without words. */
export function agreementOf(layer: string, seen: string): number {
  const counts = new Map<string, number>();
  for (const word of wordsOf(seen)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = wordsOf(layer);
  let found = 0;
  for (const word of words) {
    const left = counts.get(word) ?? 0;
    if (left > 0) found++;
    counts.set(word, left - 1);
  }
  return words.length === 0 ? 1 : found / words.length;
}
