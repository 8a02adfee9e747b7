import { openPdf } from '../../src/pdf/reader/open-pdf.js';
import { readFixture } from './build-pdf.js';
import { rawPdf } from './raw-pdf.js';

/** A page of an instruction sheet, scanned at 300 dpi, by the codec of its picture. */
export const slipCodecs = ['jpeg', 'jpeg2000', 'jbig2', 'ccitt'] as const;

export type Picture = [dict: string, bytes: Uint8Array];

/** The dictionary of a picture in grey. */
export function greyImage(width: number, height: number, entries: string): string {
  return `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray ${entries}`;
}

export async function slipPicture(): Promise<Picture> {
  const file = openPdf(await readFixture('slip.jbig2.pdf'));
  const picture = file.readPictures(1).pictures[0];
  if (picture === undefined) throw new Error('The fixture has no picture.');
  const dict = greyImage(1240, 700, '/BitsPerComponent 1 /Filter /JBIG2Decode');
  return [dict, picture.image.encoded()];
}

/** Pages of 298 by 168 points. Each is filled with the first picture, and has the others in a corner. */
export function picturePdf(pictures: readonly Picture[], texts: readonly string[] = ['']) {
  const [first = 0, ...others] = pictures.map((_, index) => index);
  const corners = others.map((index) => `q 20 0 0 20 270 5 cm /P${index} Do Q`);
  return rawPdf({
    pages: texts.map((text) => `q 298 0 0 168 0 0 cm /P${first} Do Q ${corners.join(' ')} ${text}`),
    page: '/CropBox [0 0 298 168]',
    resources: `/XObject << ${pictures.map((_, index) => `/P${index} ${20 + index} 0 R`).join(' ')} >>`,
    objects: Object.fromEntries(pictures.map((picture, index) => [20 + index, picture])),
  });
}

/** Lines that no viewer shows, as programs lay them on a scan so that it can be searched. */
export function invisibleLines(lines: readonly string[]): string {
  return `BT 3 Tr /F1 8 Tf 12 TL 17 150 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
}
