import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { openPdf } from '../../src/pdf/reader/open-pdf.js';
import { decodeImage } from '../../src/pdf/ocr/decode-image.js';
import { loadDecoders } from '../../src/pdf/ocr/decoders.js';
import { everywhere } from '../../src/pdf/reader/content/matrix.js';
import { paintPage, turnedFrame, type GreyImage } from '../../src/pdf/ocr/raster.js';

/** The languages of the scanned pages in test/fixtures/pdf. */
export const scanLanguages = ['en', 'es', 'de'] as const;
export type ScanLanguage = (typeof scanLanguages)[number];

/** How a scan differs from the page in the repository, which is upright and has 300 dpi. */
export interface ScanKind {
  language: ScanLanguage;
  dpi: 300 | 150;
  /** In degrees, clockwise. */
  skew: number;
  /** Quarter turns clockwise of the paper. */
  quarters: number;
}

const folder = 'test/fixtures/pdf';
const frame = { width: 420, height: 595 };

export async function scanText(language: ScanLanguage): Promise<string> {
  return readFile(`${folder}/scan.${language}.txt`, 'utf8');
}

async function readScan(language: ScanLanguage): Promise<GreyImage> {
  const file = openPdf(await readFile(`${folder}/scan.${language}.pdf`));
  const picture = file.readPictures(1).pictures[0];
  if (picture === undefined) throw new Error(`no picture in scan.${language}.pdf`);
  return decodeImage(picture.image, await loadDecoders());
}

/** A PDF of one page with a grey picture of the scan. */
export async function makeScan({ language, dpi, skew, quarters }: ScanKind): Promise<Uint8Array> {
  const turn = { quarters: (4 - quarters) % 4, skew: (-skew * Math.PI) / 180 };
  const placed = {
    image: await readScan(language),
    mask: undefined,
    isStencil: false,
    matrix: [frame.width, 0, 0, -frame.height, 0, frame.height] as const,
    clip: everywhere,
  };
  return pdfOfPicture(paintPage([placed], frame, dpi, turn), turnedFrame(frame, turn));
}

/** A PDF of one page that a grey picture fills. */
export function pdfOfPicture(
  { width, height, grey }: GreyImage,
  page: { width: number; height: number },
): Uint8Array {
  const packed = deflateSync(grey);
  const content = Buffer.from(`q ${page.width} 0 0 ${page.height} 0 0 cm /Scan Do Q`);
  const stream = (entries: string, bytes: Uint8Array) => [
    Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ];
  const objects: Uint8Array[][] = [
    [Buffer.from('<< /Type /Catalog /Pages 2 0 R >>')],
    [Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>')],
    [
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Contents 4 0 R /Resources << /XObject << /Scan 5 0 R >> >> >>`,
      ),
    ],
    stream('', content),
    stream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`,
      packed,
    ),
  ];
  const body = objects.flatMap((parts, index) => [
    Buffer.from(`${index + 1} 0 obj\n`),
    ...parts,
    Buffer.from('\nendobj\n'),
  ]);
  const trailer = Buffer.from('trailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n');
  return Buffer.concat([Buffer.from('%PDF-1.5\n'), ...body, trailer]);
}

/** The number of wrong, missing and surplus characters by the number of true ones. White space counts once. */
export function characterErrorRate(truth: string, read: string): number {
  const [a, b] = [truth, read].map((text) => Array.from(text.trim().replaceAll(/\s+/gu, ' ')));
  if (a === undefined || b === undefined) return 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of a.entries()) {
    const next = [index + 1];
    for (let at = 1; at <= b.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return (row[b.length] ?? 0) / a.length;
}
