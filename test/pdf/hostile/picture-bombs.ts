import { deflateSync } from 'node:zlib';
import { greyImage, picturePdf, type Picture } from '../slips.js';
import { bomb } from './hostile-files.js';

/** A page filled with one picture of these bytes, which its dictionary calls 1,000 pixels wide and high. */
function scan(entries: string, bytes: Uint8Array, [width, height] = [1000, 1000]): Picture {
  return [greyImage(width, height, entries), bytes];
}

const page = (picture: Picture) => Buffer.from(picturePdf([picture]));

function bytes32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}

function bytes16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index);
  return bytes;
}

/** A segment of JBIG2 (ITU T.88, 7.2) of page 1. */
export function jbig2Segment(
  number: number,
  type: number,
  data: Uint8Array,
  refersTo: readonly number[] = [],
): Buffer {
  const header = Buffer.from([type, refersTo.length << 5, ...refersTo, 1]);
  return Buffer.concat([bytes32(number), header, bytes32(data.length), data]);
}

/** The segment that states the size of a page. */
export function jbig2Page(width: number, height: number, number = 0): Buffer {
  const rest = Buffer.from([0, 0, 0]);
  return jbig2Segment(number, 48, Buffer.concat([bytes32(width, height, 0, 0), rest]));
}

const region = (width: number, height: number) =>
  Buffer.concat([bytes32(width, height, 0, 0), Buffer.from([0])]);
const nominal = Buffer.from([3, 255, 253, 255, 2, 254, 254, 254]);
/** Arithmetic-coded data, which never ends for the decoder. */
const coded = Buffer.alloc(64, 0x55);

/** A dictionary of patterns, and a region of a square grid of them. */
function halftone(area: Buffer, cells: number): Buffer[] {
  const grid = [bytes32(cells, cells, 0, 0), bytes16(256, 256), coded];
  return [
    jbig2Segment(1, 16, Buffer.concat([Buffer.from([0, 4, 4]), bytes32(1), coded])),
    jbig2Segment(2, 22, Buffer.concat([area, Buffer.from([0]), ...grid]), [1]),
  ];
}

/** Segments that make a decoder of JBIG2 take gigabytes, each for a page of 1,000 pixels square. */
export const jbig2Bombs: Record<string, Buffer[]> = {
  'a region of 100,000 pixels square': [
    jbig2Segment(
      1,
      38,
      Buffer.concat([region(100_000, 100_000), Buffer.from([0]), nominal, coded]),
    ),
  ],
  'a lossless region in fax code of 100,000 pixels square': [
    jbig2Segment(1, 39, Buffer.concat([region(100_000, 100_000), Buffer.from([1]), coded])),
  ],
  'a hundred regions that each fill the limit': Array.from({ length: 100 }, (_, index) =>
    jbig2Segment(
      index + 1,
      38,
      Buffer.concat([region(8000, 9900), Buffer.from([8]), nominal, coded]),
    ),
  ),
  'a second page of 200,000 pixels square': [jbig2Page(200_000, 200_000, 1)],
  'a text region of 100,000 pixels square': [
    jbig2Segment(
      1,
      6,
      Buffer.concat([region(100_000, 100_000), Buffer.from([0, 0]), bytes32(1), coded]),
    ),
  ],
  'a halftone region of 100,000 pixels square': halftone(region(100_000, 100_000), 10),
  'a halftone grid of 100,000 cells square': halftone(region(100, 100), 100_000),
  'a dictionary of a billion patterns': [
    jbig2Segment(1, 16, Buffer.concat([Buffer.from([0, 255, 255]), bytes32(1e9), coded])),
  ],
};

/** Sizes that only the decoding of a dictionary shows. */
const symbolBomb = jbig2Segment(
  1,
  0,
  Buffer.concat([bytes16(0), nominal, bytes32(0xffffffff, 0xffffffff), Buffer.alloc(400, 0xaa)]),
);

export function jbig2(...segments: Buffer[]): Picture {
  return scan(
    '/BitsPerComponent 1 /Filter /JBIG2Decode',
    Buffer.concat([jbig2Page(1000, 1000), ...segments]),
  );
}

const marker = (code: number, data: Uint8Array) =>
  Buffer.concat([Buffer.from([0xff, code]), bytes16(data.length + 2), data]);

function frameHeader(width: number, height: number): Buffer {
  const data = Buffer.concat([
    Buffer.from([8]),
    bytes16(height, width),
    Buffer.from([1, 1, 17, 0]),
  ]);
  return marker(0xc0, data);
}

const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];

/** A JPEG whose blocks are two bits each, so that some bytes fill a large picture. */
export function jpeg(before: Uint8Array, data: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    before,
    marker(0xdb, Buffer.from([0, ...Array.from({ length: 64 }, () => 1)])),
    marker(0xc4, Buffer.from([0, ...oneCode, 16, ...oneCode])),
    marker(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    data,
    Buffer.from([0xff, 0xd9]),
  ]);
}

const blocks = Buffer.alloc(200_000);

/** Files that state another size than the decoder meets. */
export const jpegBombs: Record<string, Buffer> = {
  'dimensions of 65,500 pixels square': jpeg(frameHeader(65_500, 65_500), blocks),
  'a number of lines that follows behind the first blocks': jpeg(
    frameHeader(65_500, 8),
    Buffer.concat([Buffer.alloc(1024), Buffer.from([0xff, 0xdc, 0, 4, 0xff, 0xdc]), blocks]),
  ),
  'a true size within a comment of a wrong length': jpeg(
    Buffer.concat([
      Buffer.from([0xff, 0xe1, 0, 0x20]),
      frameHeader(65_500, 65_500),
      Buffer.alloc(18),
      frameHeader(8, 8),
    ]),
    blocks,
  ),
};

function jpeg2000Size(width: number, height: number, tile: number, components = 1): Buffer {
  const parts = Array.from({ length: components }, () => Buffer.from([7, 1, 1]));
  return marker(
    0x51,
    Buffer.concat([
      bytes16(0),
      bytes32(width, height, 0, 0, tile, tile, 0, 0),
      bytes16(components),
      ...parts,
    ]),
  );
}

/** The codestream with its first tile, which is empty. */
function jpeg2000(size: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0x4f]),
    size,
    marker(0x52, Buffer.from([0, 0, 0, 1, 0, 5, 4, 4, 0, 1])),
    marker(0x5c, Buffer.from([0x40, ...Array.from({ length: 16 }, () => 0x40)])),
    marker(0x90, Buffer.concat([bytes16(0), bytes32(14), Buffer.from([0, 1])])),
    Buffer.from([0xff, 0x93, 0xff, 0xd9]),
  ]);
}

export const jpeg2000Bombs: Record<string, Buffer> = {
  'dimensions of 65,500 pixels square': jpeg2000(jpeg2000Size(65_500, 65_500, 65_500)),
  'sixty thousand tiles of one pixel': jpeg2000(jpeg2000Size(250, 250, 1)),
  'sixteen thousand components': jpeg2000(jpeg2000Size(100, 100, 100, 16_000)),
  'a hundred tiles of two thousand components': jpeg2000(jpeg2000Size(100, 100, 10, 2000)),
  'a true size behind another one': Buffer.concat([
    // A box of the file that holds what looks like a size.
    bytes32(12, 0x6a502020, 0x0d0a870a, 20, 0x66747970, 0x6a703220, 0, 0x6a703220),
    bytes32(8 + 41 + 2, 0x66726565),
    jpeg2000Size(8, 8, 8),
    Buffer.alloc(51 - 8 - jpeg2000Size(8, 8, 8).length),
    bytes32(45, 0x6a703268, 22, 0x69686472, 65_500, 65_500),
    Buffer.from([0, 1, 7, 7, 0, 0]),
    bytes32(15, 0x636f6c72),
    Buffer.from([1, 0, 0, 0, 0, 0, 17]),
    bytes32(0, 0x6a703263),
    jpeg2000(jpeg2000Size(65_500, 65_500, 65_500)),
  ]),
};

function named(kind: string, bombs: Record<string, Picture>): Record<string, () => Buffer> {
  return Object.fromEntries(
    Object.entries(bombs).map(([name, picture]) => [`${kind}: ${name}`, () => page(picture)]),
  );
}

function mapped(bombs: Record<string, Buffer>, entries: string): Record<string, Picture> {
  return Object.fromEntries(
    Object.entries(bombs).map(([name, bytes]) => [name, scan(entries, bytes)]),
  );
}

/** Scanned pages whose pictures take gigabytes when they are decoded. */
export const pictureBombs: Record<string, () => Buffer> = {
  ...named(
    'JBIG2',
    Object.fromEntries(
      Object.entries({ ...jbig2Bombs, 'a dictionary of four billion symbols': [symbolBomb] }).map(
        ([name, segments]) => [name, jbig2(...segments)],
      ),
    ),
  ),
  ...named('JPEG', mapped(jpegBombs, '/BitsPerComponent 8 /Filter /DCTDecode')),
  ...named('JPEG 2000', mapped(jpeg2000Bombs, '/BitsPerComponent 8 /Filter /JPXDecode')),
  ...named('fax', {
    'eighty million columns': scan(
      '/BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 80000000 /Rows 1 >>',
      Buffer.alloc(5000, 0x35),
      [1000, 1],
    ),
    'a column and eighty million rows': scan(
      '/BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 1 /Rows 80000000 >>',
      Buffer.alloc(5000, 0x35),
      [1, 80_000_000],
    ),
  }),
  ...named('samples', {
    'eighty million pixels of nothing': scan(
      '/BitsPerComponent 8 /Filter /FlateDecode',
      bomb('\0', 80_000_000),
      [10_000, 8000],
    ),
    'a strip of eighty million pixels': scan(
      '/BitsPerComponent 8 /Filter /FlateDecode',
      bomb('\0', 80_000_000),
      [80_000_000, 1],
    ),
    'more bytes than pixels, under two filters': scan(
      '/BitsPerComponent 8 /Filter [/FlateDecode /FlateDecode]',
      deflateSync(bomb('\0', 2 ** 30)),
    ),
  }),
  'a page of fifty pictures of eighty million pixels': () => {
    const bytes = bomb('\0', 10_000_000);
    const one = scan('/BitsPerComponent 1 /Filter /FlateDecode', bytes, [10_000, 8000]);
    return Buffer.from(picturePdf(Array.from({ length: 50 }, () => one)));
  },
};
