import { loadDecoders } from '../../src/pdf/ocr/decoders.js';
import { OcrEngine } from '../../src/pdf/ocr/engine.js';
import { recognizePage, type OcrTools } from '../../src/pdf/ocr/recognize-page.js';
import { openPdf } from '../../src/pdf/reader/open-pdf.js';
import { characterErrorRate, makeScan, scanLanguages, scanText, type ScanKind } from './scans.js';

export interface OcrResult extends ScanKind {
  errorRate: number;
  confidence: number;
  cpuSeconds: number;
}

export const scanKinds: ScanKind[] = scanLanguages.flatMap((language) => [
  { language, dpi: 300, skew: 0, quarters: 0 },
  { language, dpi: 300, skew: 1.7, quarters: 0 },
  { language, dpi: 300, skew: -3, quarters: 0 },
  { language, dpi: 300, skew: 0.8, quarters: 1 },
  { language, dpi: 300, skew: 0, quarters: 2 },
  { language, dpi: 150, skew: 0, quarters: 0 },
  { language, dpi: 150, skew: 2, quarters: 0 },
]);

export async function loadTools(): Promise<OcrTools> {
  return { engine: await OcrEngine.load(), decoders: await loadDecoders() };
}

/** Recognises one scan and compares it with its text. */
export async function measureScan(kind: ScanKind, tools: OcrTools): Promise<OcrResult> {
  const file = openPdf(await makeScan(kind));
  const seen = file.readPictures(1);
  if (seen === undefined) throw new Error('no pictures');
  const before = process.cpuUsage();
  const { page, confidence } = await recognizePage(seen.pictures, seen, 1, tools);
  const { user, system } = process.cpuUsage(before);
  const read = page.lines.map(({ text }) => text).join('\n');
  const errorRate = characterErrorRate(await scanText(kind.language), read);
  return { ...kind, errorRate, confidence, cpuSeconds: (user + system) / 1e6 };
}

/** The table of error rates, as Markdown. */
export function ocrTable(results: readonly OcrResult[]): string {
  const rows = results.map(
    ({ language, dpi, skew, quarters, errorRate, confidence, cpuSeconds }) =>
      `| ${language} | ${dpi} | ${skew}° | ${quarters * 90}° | ${(100 * errorRate).toFixed(2)} % | ${confidence} | ${cpuSeconds.toFixed(1)} |`,
  );
  return [
    '| language | dpi | skew | turned | wrong characters | confidence | processor seconds |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
