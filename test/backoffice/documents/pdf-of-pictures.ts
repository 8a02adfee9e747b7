import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { rawPdf } from '../../pdf/raw-pdf.js';

/** 16 by 16 pixels, red on the left and blue on the right, as OpenJPEG writes them. */
const redAndBlue = `/0//UQAvAAAAAAAQAAAAEAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAADBwEBBwEBBwEB/1IADAAAAAEBAAQEAAH/XAAE
QED/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjT/kAAKAAAAAACIAAH/k8fUIhFQVK/fHLK8AAAAAGEhL/9/34GAO7kPK/nm
ZCQls5NBQAAAAMJCX6R7AAYSEvuaGAAGEhL6+hAABhIS+dcYAAYSEv9/34GAFABbGQquruFH/u2CQAAAAYSEvxb6AAwkJfZ8QAAMJCXzrjAADCQl
8aBwAAwkJf9//9k=`;

/** A page of 8 by 8 pixels, and a region that makes them black: the first row is spelled out, the others are equal to it. */
const black = `
  00000000 30 00 01 00000013 00000008 00000008 00000000 00000000 00 0000
  00000001 26 00 01 00000019 00000008 00000008 00000000 00000000 00 01 26A2FFFE001001`;

/** One pixel of cyan, magenta, yellow and black. */
const magentaAndYellow = new Uint8Array([0, 255, 255, 0]);

/** A PDF with a picture of each kind that pdf.js needs more than its worker for, or once needed, and the colours to see. */
export async function pdfOfPictures() {
  const profile = await readFile('node_modules/pdfjs-dist/iccs/CGATS001Compat-v2-micro.icc');
  const draw = (name: string, x: number) => `q 100 0 0 100 ${x} 300 cm /${name} Do Q`;
  const image = '/Type /XObject /Subtype /Image';
  const bytes = rawPdf({
    pages: [
      `BT /F1 11 Tf 50 700 Td (The pump is oiled every week.) Tj ET
       ${draw('Jpx', 50)} ${draw('Jbig', 200)} ${draw('Icc', 350)}`,
    ],
    resources: '/XObject << /Jpx 20 0 R /Jbig 21 0 R /Icc 22 0 R >>',
    objects: {
      20: [
        `${image} /Width 16 /Height 16 /ColorSpace /DeviceRGB /Filter /JPXDecode`,
        Buffer.from(redAndBlue, 'base64'),
      ],
      21: [
        `${image} /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode`,
        Buffer.from(black.replaceAll(/\s/g, ''), 'hex'),
      ],
      22: [
        `${image} /Width 1 /Height 1 /ColorSpace [/ICCBased 23 0 R] /BitsPerComponent 8`,
        magentaAndYellow,
      ],
      23: ['/N 4 /Alternate /DeviceCMYK', profile],
    },
  });
  return {
    bytes,
    places: [
      { name: 'JPEG 2000, left', x: 75, y: 350, color: [200, 30, 30] },
      { name: 'JPEG 2000, right', x: 125, y: 350, color: [30, 30, 200] },
      { name: 'JBIG2', x: 250, y: 350, color: [0, 0, 0] },
      { name: 'a profile of CMYK', x: 400, y: 350, color: [237, 28, 36] },
    ],
  };
}
