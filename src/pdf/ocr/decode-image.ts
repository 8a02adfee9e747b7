import { colourSpaceOf } from '../reader/content/colour-spaces.js';
import { decodeFilters, type Filter } from '../reader/syntax/filters.js';
import {
  Dict,
  isArray,
  Name,
  NotUnderstood,
  Stream,
  type PdfObject,
} from '../reader/syntax/objects.js';
import { filtersOf } from '../reader/syntax/pdf-file.js';
import type { Decoders } from './decoders.js';
import type { GreyImage } from './raster.js';

/** Pixels of a picture: A3 in colour at 600 dpi has 70 million. */
const maxPixels = 80_000_000;
/** Bytes of a picture without its filters. */
const maxBytes = 256 << 20;
/** Bytes of all parts that a picture is decoded from: a JBIG2 picture of a book has thousands of letters. */
const maxParts = 2 * maxBytes;
/** Pixels of a side. A JPEG can't have more, and no scan has. */
const maxSide = 65_535;
/** What each row of a part of a JBIG2 picture takes besides its pixels, in bytes. */
const rowBytes = 128;
/** The tiles of a JPEG 2000, once for each component. Each takes about 2 KB in its decoder. */
const maxTiles = 50_000;

/** Whole samples of a picture, as its filters give them. */
interface Samples {
  width: number;
  height: number;
  components: number;
  bits: number;
  bytes: Uint8Array;
}

/** Decodes a picture to grey. Throws NotUnderstood for one that is too large or has no known filter. */
export async function decodeImage(image: Stream, decoders: Decoders): Promise<GreyImage> {
  const samples = await readSamples(image, decoders);
  const { width, height, components, bits, bytes } = samples;
  const decode = image.dict.numbers('Decode') ?? image.dict.numbers('D');
  const isInverted = decode !== undefined && (decode[0] ?? 0) > (decode[1] ?? 1);
  if (components === 1) {
    const greys = isStencil(image) ? plainGreys(bits) : levelsOf(image.dict, bits);
    if (isInverted) greys.reverse();
    return { width, height, grey: unpack(samples, greys) };
  }
  if (bits !== 8) throw new NotUnderstood(`${bits} bits of ${components} components`);
  const grey = new Uint8Array(width * height);
  const flip = isInverted ? 255 : 0;
  for (let pixel = 0, at = 0; pixel < grey.length; pixel++, at += components) {
    const red = (bytes[at] ?? 0) ^ flip;
    const green = (bytes[at + 1] ?? 0) ^ flip;
    const blue = (bytes[at + 2] ?? 0) ^ flip;
    const mixed = (red * 77 + green * 151 + blue * 28) >> 8;
    grey[pixel] =
      components < 4 ? mixed : ((255 - mixed) * (255 - ((bytes[at + 3] ?? 0) ^ flip))) / 255;
  }
  return { width, height, grey };
}

export function isStencil(image: Stream): boolean {
  return image.dict.get('ImageMask') === true;
}

/** Throws NotUnderstood when the numbers of pixels and bytes are beyond what is decoded. */
function checkSize(width: number, height: number, components = 1): void {
  const pixels = width * height;
  const isFine = pixels >= 1 && pixels <= maxPixels && pixels * components <= maxBytes;
  if (!isFine || Math.max(width, height) > maxSide) throw tooLarge(width, height);
}

function tooLarge(width: number, height: number): NotUnderstood {
  return new NotUnderstood(`a picture of ${width} × ${height} pixels`);
}

/** Refuses each part of one picture that is too large, and too many parts. Empty parts are allowed. */
function createSizeLimit(): (width: number, height: number, components: number) => void {
  let left = maxParts;
  return (width, height, components) => {
    left -= width * height * components + height * rowBytes;
    const isFine = width * height <= maxPixels && Math.max(width, height) <= maxSide && left >= 0;
    if (!isFine) throw tooLarge(width, height);
  };
}

async function readSamples(image: Stream, decoders: Decoders): Promise<Samples> {
  const { dict } = image;
  const width = dict.number('Width') ?? 0;
  const height = dict.number('Height') ?? 0;
  checkSize(width, height);
  const filters = filtersOf(dict);
  const last = filters.at(-1);
  const decoder = last === undefined ? undefined : pictureFilters[last.name];
  const before = decoder === undefined ? filters : filters.slice(0, -1);
  const bytes = decodeFilters(image.encoded(), before, maxBytes);
  if (decoder === undefined || last === undefined) return rawSamples(dict, width, height, bytes);
  decoders.limitSizes(createSizeLimit());
  return decoder(bytes, { width, height, filter: last, decoders });
}

interface Frame {
  width: number;
  height: number;
  filter: Filter;
  decoders: Decoders;
}

const pictureFilters: Record<
  string,
  (bytes: Uint8Array, frame: Frame) => Samples | Promise<Samples>
> = {
  DCTDecode: readJpeg,
  DCT: readJpeg,
  CCITTFaxDecode: readFax,
  CCF: readFax,
  JBIG2Decode: readJbig2,
  JPXDecode: readJpeg2000,
};

function rawSamples(dict: Dict, width: number, height: number, bytes: Uint8Array): Samples {
  const bits = dict.get('ImageMask') === true ? 1 : (dict.number('BitsPerComponent') ?? 8);
  const components = dict.get('ImageMask') === true ? 1 : componentsOf(dict);
  checkSize(width, height, components);
  return { width, height, components, bits, bytes };
}

function readJpeg(bytes: Uint8Array, { decoders }: Frame): Samples {
  const jpeg = new decoders.JpegImage();
  jpeg.parse(bytes);
  const { width, height, numComponents: components } = jpeg;
  checkSize(width, height, components);
  const data = jpeg.getData({ width, height, isSourcePDF: true });
  return { width, height, components, bits: 8, bytes: data };
}

function readFax(encoded: Uint8Array, { width, height, filter, decoders }: Frame): Samples {
  const { params } = filter;
  const columns = params?.number('Columns') ?? 1728;
  checkSize(columns, height);
  let at = 0;
  const decoder = new decoders.CCITTFaxDecoder(
    { next: () => encoded[at++] ?? -1 },
    {
      K: params?.number('K') ?? 0,
      EndOfLine: params?.get('EndOfLine') === true,
      EncodedByteAlign: params?.get('EncodedByteAlign') === true,
      Columns: columns,
      Rows: params?.number('Rows') ?? height,
      EndOfBlock: params?.get('EndOfBlock') !== false,
      BlackIs1: params?.get('BlackIs1') === true,
    },
  );
  const stride = (columns + 7) >> 3;
  // Rows that are missing are white.
  const blank = params?.get('BlackIs1') === true ? 0 : 255;
  const bytes = new Uint8Array(stride * height).fill(blank);
  for (let to = 0; to < bytes.length; to++) {
    const byte = decoder.readNextChar();
    if (byte < 0) break;
    bytes[to] = byte;
  }
  if (columns === width) return { width, height, components: 1, bits: 1, bytes };
  return { width: columns, height, components: 1, bits: 1, bytes };
}

function readJbig2(bytes: Uint8Array, { width, height, filter, decoders }: Frame): Samples {
  const shared = filter.params?.stream('JBIG2Globals')?.bytes();
  const parts = shared === undefined ? [bytes] : [shared, bytes];
  const chunks = parts.map((data) => ({ data, start: 0, end: data.length }));
  const decoded = new decoders.Jbig2Image().parseChunks(chunks);
  if (decoded.length !== ((width + 7) >> 3) * height) {
    throw new NotUnderstood('a JBIG2 picture of another size than its dictionary says');
  }
  // JBIG2 has 1 for black, pictures have 0.
  for (let at = 0; at < decoded.length; at++) decoded[at] = (decoded[at] ?? 0) ^ 255;
  return { width, height, components: 1, bits: 1, bytes: decoded };
}

async function readJpeg2000(bytes: Uint8Array, { decoders }: Frame): Promise<Samples> {
  const [width, height] = jpeg2000Size(bytes);
  const data = await decoders.JpxImage.decode(bytes);
  const components = Math.max(1, Math.round(data.length / (width * height)));
  return { width, height, components, bits: 8, bytes: data };
}

/** The first size that a JPEG 2000 states. All are checked, since only the decoder knows which one it will read. */
function jpeg2000Size(bytes: Uint8Array): [width: number, height: number] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sizes: [width: number, height: number][] = [];
  for (let at = file.indexOf('ff51', 'hex'); at >= 0; at = file.indexOf('ff51', at + 2, 'hex')) {
    if (at + 40 > file.length) break;
    const components = file.readUInt16BE(at + 38);
    if (file.readUInt16BE(at + 2) !== 38 + 3 * components) continue;
    const number = (offset: number) => file.readUInt32BE(at + offset);
    const [width, height] = [number(6) - number(14), number(10) - number(18)];
    checkSize(width, height, components);
    const across = Math.ceil((number(6) - number(30)) / number(22));
    const down = Math.ceil((number(10) - number(34)) / number(26));
    if (!(across * down * components <= maxTiles)) {
      throw new NotUnderstood(`a picture of ${across} × ${down} tiles`);
    }
    sizes.push([width, height]);
  }
  const [first] = sizes;
  if (first === undefined) throw new NotUnderstood('a JPEG 2000 without a size');
  return first;
}

function componentsOf(dict: Dict): number {
  const space = dict.get('ColorSpace');
  const of = (value: PdfObject): number => {
    if (value instanceof Name) {
      return { DeviceRGB: 3, RGB: 3, CalRGB: 3, DeviceCMYK: 4, CMYK: 4 }[value.text] ?? 1;
    }
    if (!isArray(value)) return 1;
    const [family, second] = value;
    const name = family instanceof Name ? family.text : '';
    if (name === 'ICCBased') {
      const holder = new Dict(dict.resolver);
      holder.entries.set('profile', second ?? null);
      return holder.dict('profile')?.number('N') ?? 3;
    }
    if (name === 'DeviceN' && isArray(second ?? null)) return (second as PdfObject[]).length;
    return name === 'CalRGB' || name === 'Lab' ? 3 : 1;
  };
  return of(space);
}

function plainGreys(bits: number): number[] {
  const levels = 1 << Math.min(8, bits);
  return Array.from({ length: levels }, (_, level) => Math.round((255 * level) / (levels - 1)));
}

/** The grey of each value of a picture with one component. */
function levelsOf(dict: Dict, bits: number): number[] {
  const value = dict.get('ColorSpace');
  const greys = plainGreys(bits);
  if (!isArray(value)) return greys;
  const space = colourSpaceOf(value, dict);
  const isIndexed = value[0] instanceof Name && /^I(ndexed)?$/.test(value[0].text);
  return greys.map((grey, level) => {
    const colour = space.toColour([isIndexed ? level : grey / 255]);
    // The ink of an unknown colour is dark.
    if (colour === undefined) return 255 - grey;
    return Math.round(255 * (0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2]));
  });
}

function unpack({ width, height, bits, bytes }: Samples, greys: readonly number[]): Uint8Array {
  const grey = new Uint8Array(width * height).fill(255);
  const table = Uint8Array.from(greys);
  if (bits === 8) {
    for (let at = 0; at < Math.min(grey.length, bytes.length); at++) {
      grey[at] = table[bytes[at] ?? 0] ?? 255;
    }
    return grey;
  }
  const stride = Math.ceil((width * bits) / 8);
  const mask = (1 << Math.min(8, bits)) - 1;
  for (let row = 0; row < height; row++) {
    const from = row * stride;
    if (from + stride > bytes.length) break;
    for (let column = 0; column < width; column++) {
      const bit = column * bits;
      const byte = bytes[from + (bit >> 3)] ?? 0;
      const value = bits === 16 ? byte : (byte >> (8 - bits - (bit & 7))) & mask;
      grey[row * width + column] = table[value] ?? 255;
    }
  }
  return grey;
}
