import { round, type Measure, type Row } from '../measure.js';
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
  const before = process.cpuUsage();
  const { page, confidence } = await recognizePage(seen, 1, tools);
  const { user, system } = process.cpuUsage(before);
  const read = page.lines.map(({ text }) => text).join('\n');
  const errorRate = characterErrorRate(await scanText(kind.language), read);
  return { ...kind, errorRate, confidence, cpuSeconds: (user + system) / 1e6 };
}

/** How many characters recognition gets wrong, and what it costs. */
export async function measureOcr(): Promise<Measure> {
  const tools = await loadTools();
  const rows: Row[] = [];
  for (const kind of scanKinds) {
    const { errorRate, confidence, cpuSeconds } = await measureScan(kind, tools);
    const { language, dpi, skew, quarters } = kind;
    rows.push({
      language,
      dpi,
      skew,
      turned: quarters * 90,
      'wrong %': round(100 * errorRate),
      confidence,
      'CPU s': round(cpuSeconds),
    });
  }
  return {
    name: 'ocr',
    about:
      'wrong characters of scanned pages made from known text, by resolution, degrees askew and turned; targets: at most 2 % at 300 dpi, 5 % at 150',
    rows,
  };
}
