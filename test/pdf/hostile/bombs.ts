import { deflateSync } from 'node:zlib';
import {
  bomb,
  characterMap,
  composite,
  contents,
  crossReferenceStream,
  onePage,
} from './hostile-files.js';
import { flate, writePdf, type RawObject } from './write-pdf.js';

const megabyte = 1 << 20;

/** LZW codes of 12 bits: after a clear, each names the entry that the one before has made. 5 KB become 6 MB. */
function lzwRun(): Buffer {
  const codes = [256, 32, ...Array.from({ length: 4095 - 258 }, (_, index) => 258 + index)];
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const [index, code] of codes.entries()) {
    // An entry is made by each code but the first two, and codes grow one entry early.
    const next = 258 + Math.max(0, index - 1);
    const width = index === 0 ? 9 : next >= 2047 ? 12 : next >= 1023 ? 11 : next >= 511 ? 10 : 9;
    bits = ((bits & 0xffff) << width) | code;
    held += width;
    for (; held >= 8; held -= 8) bytes.push((bits >>> (held - 8)) & 255);
  }
  bytes.push((bits << (8 - held)) & 255);
  return Buffer.from(bytes);
}

function lzwRuns(count: number): Buffer {
  const run = lzwRun();
  return Buffer.concat(Array.from({ length: count }, () => run));
}

const filtered = (filters: string, bytes: Uint8Array) =>
  onePage({ contents: { dict: `/Filter[${filters}]`, bytes } });

function nestedFlate(levels: number, size: number): Buffer {
  let bytes: Buffer = Buffer.alloc(size, ' ');
  for (let level = 0; level < levels; level++) bytes = deflateSync(bytes);
  return bytes;
}

/** Pages that all draw the same content. */
function pagesOf(count: number, content: RawObject): Buffer {
  const kids = Array.from({ length: count }, (_, index) => `${index + 4} 0 R`);
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/MediaBox[0 0 600 800]/Resources<<>>/Kids[${kids.join(' ')}]/Count ${count}>>`,
    content,
    ...kids.map(() => '<</Type/Page/Parent 2 0 R/Contents 3 0 R>>'),
  ]);
}

/** The object stream 4, in which page and fonts should be. */
function objectStream(dict: string, text: Uint8Array): Buffer {
  const body = writePdf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[5 0 R]/Count 1>>',
      'null',
      { dict: `/Type/ObjStm${dict}`, bytes: text },
    ],
    { ending: '' },
  );
  const offsets = [...body.toString('latin1').matchAll(/^\d+ 0 obj/gm)].map(({ index }) => index);
  const rows = Buffer.concat(
    [[0, 0], ...offsets.map((offset) => [1, offset]), [2, 4]].map(([kind = 0, where = 0]) =>
      Buffer.from([kind, where >> 16, (where >> 8) & 255, where & 255, 0]),
    ),
  );
  const start = body.indexOf('startxref');
  const head = `9 0 obj\n<</Type/XRef/Root 1 0 R/Size 6/W[1 3 1]/Length ${rows.length}>>\nstream\n`;
  return Buffer.concat([
    body.subarray(0, start),
    Buffer.from(head),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`),
  ]);
}

/** Cross-reference tables that name each other as the previous one. */
function tablesInACircle(): Buffer {
  const first = onePage({}).toString('latin1').replace('/Size 7', '/Size 7/Prev 00000000');
  const table = first.lastIndexOf('xref\n0');
  const second = first.length;
  const text = `${first}xref\n0 0\ntrailer\n<</Root 1 0 R/Size 7/Prev ${table}>>\nstartxref\n${second}\n%%EOF\n`;
  return Buffer.from(
    text.replace('/Prev 00000000', `/Prev ${String(second).padStart(8, '0')}`),
    'latin1',
  );
}

/** A page tree of ten levels, each of which names the next a hundred times: 10^20 pages. */
function countlessPages(): Buffer {
  const level = (index: number) =>
    `<</Type/Pages/Kids[${`${index + 3} 0 R `.repeat(100)}]/Count 2000000000>>`;
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    ...Array.from({ length: 10 }, (_, index) => level(index)),
    '<</Type/Page/MediaBox[0 0 600 800]>>',
  ]);
}

/** A font program of one table, which says that its glyphs stand for all codes four billion times. */
function endlessGroups(): Buffer {
  const groups = 200_000;
  const table = Buffer.alloc(12 + 16 + 12 * groups);
  table.writeUInt16BE(1, 2);
  table.writeUInt16BE(3, 4);
  table.writeUInt16BE(10, 6);
  table.writeUInt32BE(12, 8);
  table.writeUInt16BE(12, 12);
  table.writeUInt32BE(16 + 12 * groups, 16);
  table.writeUInt32BE(groups, 24);
  for (let group = 0; group < groups; group++) {
    table.writeUInt32BE(0xffffffff, 28 + 12 * group + 4);
  }
  const head = Buffer.alloc(28);
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(1, 4);
  head.write('cmap', 12, 'latin1');
  head.writeUInt32BE(28, 20);
  head.writeUInt32BE(table.length, 24);
  return Buffer.concat([head, table]);
}

const codes = 100_000;

/** Small files that unpack or repeat to gigabytes. Created on demand, because some take a moment. */
export const bombs: Record<string, () => Buffer> = {
  'LZW that unpacks to gigabytes': () => filtered('/LZW', lzwRuns(500)),
  'LZW within Flate that unpacks to gigabytes': () =>
    filtered('/Fl/LZW', deflateSync(lzwRuns(5000))),
  'RunLength within Flate that unpacks to gigabytes': () =>
    filtered('/Fl/RL', bomb('\x81 ', 100 * megabyte)),
  'ASCII85 within Flate that unpacks to gigabytes': () =>
    filtered('/Fl/A85', bomb('z', 120 * megabyte)),
  'a chain of seven ASCII85 filters': () =>
    filtered(`/Fl${'/A85'.repeat(7)}`, bomb('z', 30 * megabyte)),
  'a chain of seven hexadecimal filters': () =>
    filtered(`/Fl${'/AHx'.repeat(7)}`, bomb('3', 120 * megabyte)),
  'eight Flate filters, one in another': () =>
    filtered('/Fl'.repeat(8), nestedFlate(8, 300 * megabyte)),
  'a hundred filters': () => filtered('/A85'.repeat(100), Buffer.from('z~>')),
  'a predictor with rows of gigabytes': () =>
    onePage({
      contents: {
        dict: `${flate}/DecodeParms<</Predictor 15/Columns 1073741824/Colors 64/BitsPerComponent 16>>`,
        bytes: bomb('\x04', 100 * megabyte),
      },
    }),
  'two thousand pages of one bomb': () =>
    pagesOf(2000, { dict: flate, bytes: bomb(' ', 100 * megabyte) }),
  'a thousand kinds of content on one page': () => {
    const content = { dict: flate, bytes: bomb(' ', 10 * megabyte) };
    return onePage({
      contentsKey: `[${Array.from({ length: 1000 }, (_, index) => `${index + 7} 0 R`).join(' ')}]`,
      more: Array.from({ length: 1000 }, () => content),
    });
  },
  'an object stream of two billion objects': () =>
    objectStream('/N 2147483647/First 20', Buffer.from('5 0 <</Type/Page>>   ')),
  'an object stream with a first object behind its end': () =>
    objectStream('/N 1/First 4294967296', Buffer.from('5 0 <</Type/Page>>   ')),
  'an object stream of millions of numbers': () =>
    objectStream(`${flate}/N 40000000/First 100000000`, bomb('5 0 ', 120 * megabyte)),
  'a cross-reference stream of thirty million rows': () =>
    crossReferenceStream(
      `${flate}/Size 2147483647/Index[0 2147483647]/W[1 2 1]`,
      bomb('\x01\x00\x09\x00', 120 * megabyte),
    ),
  'cross-reference tables in a circle': tablesInACircle,
  'more pages than there are atoms': countlessPages,
  'a character map with thousands of full ranges': () =>
    onePage({
      font: '<</Type/Font/Subtype/Type0/BaseFont/X/Encoding 7 0 R/DescendantFonts[8 0 R]>>',
      contents: contents('BT /F 12 Tf <0041004200430044> Tj ET'),
      more: [
        characterMap(
          `100 begincidrange ${'<00000000> <ffffffff> 0 <0000> <ffff> 7 '.repeat(50_000)} endcidrange`,
        ),
        '<</Type/Font/Subtype/CIDFontType0/BaseFont/X>>',
      ],
    }),
  'a chain of two thousand character maps': () =>
    onePage({
      font: '<</Type/Font/Subtype/Type0/BaseFont/X/Encoding 7 0 R/DescendantFonts[5 0 R]>>',
      contents: contents('BT /F 12 Tf <00410042> Tj ET'),
      more: Array.from({ length: 2000 }, (_, index) => ({
        dict: `/Type/CMap/UseCMap ${index + 8} 0 R`,
        bytes: Buffer.from('1 begincidrange <0000> <ffff> 0 endcidrange'),
      })),
    }),
  'a map of a million letters': () =>
    composite(
      '',
      [
        'null',
        {
          dict: flate,
          bytes: deflateSync(
            Buffer.from(
              `begincmap ${Array.from({ length: 10 * codes }, (_, code) => `<${code.toString(16).padStart(8, '0')}> <0041>`).join('\n')}`.replace(
                ' ',
                ' 1 beginbfchar ',
              ),
            ),
          ),
        },
      ],
      '/ToUnicode 9 0 R',
    ),
  'widths of three million characters one by one': () =>
    composite(`/W[0[${'500 '.repeat(3_000_000)}]]`, ['null']),
  'a million names of glyphs': () =>
    onePage({
      font: `<</Type/Font/Subtype/TrueType/BaseFont/X/Encoding<</Differences[0 ${'/a '.repeat(10 * codes)}]>>>>`,
    }),
  'a font program of endless groups of glyphs': () =>
    composite('', [{ dict: flate, bytes: deflateSync(endlessGroups()) }]),
  'a thousand fonts of one bomb on one page': () =>
    onePage({
      resources: '',
      contents: contents(
        Array.from({ length: 1000 }, (_, index) => `BT /G${index} 9 Tf (a) Tj ET`).join('\n'),
      ),
      page: `/Resources<</Font<<${Array.from({ length: 1000 }, (_, index) => `/G${index} ${index + 8} 0 R`).join('')}>>>>`,
      more: [
        { dict: flate, bytes: bomb('\0', 100 * megabyte) },
        ...Array.from(
          { length: 1000 },
          () =>
            '<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor<</Type/FontDescriptor/FontName/X/FontFile2 7 0 R>>>>',
        ),
      ],
    }),
};
