import { deflateSync } from 'node:zlib';
import { flate, writePdf, type RawObject } from './write-pdf.js';

const megabyte = 1 << 20;

/** A decompression bomb: repeated text, compressed up to a thousandfold. */
export function bomb(text: string, bytes: number): Buffer {
  return deflateSync(Buffer.alloc(bytes, text, 'latin1'));
}

const hello = Buffer.from('BT /F 12 Tf 20 700 Td (Plain words on a page.) Tj ET');
const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';

/** The files whose name `includes` selects. */
export function select(
  files: Record<string, () => Buffer>,
  includes: (name: string) => boolean,
): Record<string, () => Buffer> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => includes(name)));
}

/** A document of one page. Object 4 is its content, 5 its font, 6 its resources, and `more` begins at 7. */
export function onePage(changes: {
  contents?: RawObject;
  contentsKey?: string;
  font?: RawObject;
  resources?: string;
  page?: string;
  catalog?: string;
  more?: RawObject[];
}): Buffer {
  return writePdf([
    `<</Type/Catalog/Pages 2 0 R${changes.catalog ?? ''}>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources 6 0 R${changes.page ?? ''}/Contents ${changes.contentsKey ?? '4 0 R'}>>`,
    changes.contents ?? { dict: '', bytes: hello },
    changes.font ?? font,
    `<</Font<</F 5 0 R>>${changes.resources ?? ''}>>`,
    ...(changes.more ?? []),
  ]);
}

function tree(pages: string, more: RawObject[] = []): Buffer {
  return writePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    pages,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    { dict: '', bytes: hello },
    font,
    ...more,
  ]);
}

function form(content: string, resources: string): RawObject {
  return {
    dict: `/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<${resources}>>`,
    bytes: Buffer.from(content),
  };
}

export function contents(text: string): RawObject {
  return { dict: '', bytes: Buffer.from(text, 'latin1') };
}

export function composite(descendant: string, more: RawObject[], toUnicode = ''): Buffer {
  return onePage({
    font: `<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[7 0 R]${toUnicode}>>`,
    contents: contents('BT /F 12 Tf 20 700 Td <00010002000300040005> Tj ET'),
    more: [
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/X/FontDescriptor<</Type/FontDescriptor/FontName/X/FontFile2 8 0 R>>${descendant}>>`,
      ...more,
    ],
  });
}

export function characterMap(body: string): RawObject {
  return contents(
    `/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n1 begincodespacerange <0000> <ffff> endcodespacerange\n${body}\nendcmap`,
  );
}

/** A file that ends with a cross-reference stream whose bytes are `rows`. */
export function crossReferenceStream(dict: string, rows: Uint8Array): Buffer {
  const text = Buffer.from(rows).toString('latin1');
  return writePdf(
    ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page>>'],
    {
      ending: `9 0 obj\n<</Type/XRef/Root 1 0 R${dict}/Length ${rows.length}>>\nstream\n${text}\nendstream\nendobj\n`,
    },
  );
}

/** Object streams that each unpack to `size`. A reader searches them for the pages. */
function objectStreams(count: number, size: number): Buffer {
  const packed = bomb(' ', size);
  const streams = Array.from({ length: count }, (): RawObject => ({
    dict: `/Type/ObjStm/N 1/First 8${flate}/Extends 2 0 R`,
    bytes: packed,
  }));
  const body = writePdf(['<</Type/Catalog/Pages 50 0 R>>', ...streams], { ending: '' });
  const offsets = [...body.toString('latin1').matchAll(/^\d+ 0 obj/gm)].map((found) => found.index);
  const row = (kind: number, where: number, index: number) => {
    const bytes = Buffer.alloc(6);
    bytes.writeUInt8(kind);
    bytes.writeUInt32BE(where, 1);
    bytes.writeUInt8(index, 5);
    return bytes;
  };
  const rows = Buffer.concat([
    row(0, 0, 0),
    ...offsets.map((offset) => row(1, offset, 0)),
    ...Array.from({ length: 50 }, (_, index) => row(2, 2 + (index % count), index % 256)),
  ]);
  const size2 = offsets.length + 51;
  const start = body.indexOf('startxref');
  return Buffer.concat([
    body.subarray(0, start),
    Buffer.from(
      `99 0 obj\n<</Type/XRef/Root 1 0 R/Size ${size2}/W[1 4 1]/Index[0 ${offsets.length + 1} 50 50]/Length ${rows.length}>>\nstream\n`,
    ),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`),
  ]);
}

function nested(open: string, close: string, depth: number): string {
  return open.repeat(depth) + close.repeat(depth);
}

const bigPicture = (filter: string) =>
  onePage({
    contents: contents('BT /F 12 Tf 20 700 Td (Words.) Tj ET q 9 0 0 9 0 0 cm /I Do Q'),
    resources: '/XObject<</I 7 0 R>>',
    more: [
      {
        dict: `/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/${filter}`,
        bytes: filter === 'FlateDecode' ? bomb('\0', 64 * megabyte) : Buffer.alloc(5000, 255),
      },
    ],
  });

/** The file without its cross-references, so that a reader must search for the objects. */
function withoutReferences(file: Buffer): Buffer {
  const text = file.toString('latin1');
  return Buffer.from(text.replace(/xref\n0 /, 'xerf\n0 '), 'latin1');
}

/** Files as attackers and broken programs make them. Created on demand, because some take a moment. */
export const hostileFiles: Record<string, () => Buffer> = {
  'a content stream that expands a thousandfold': () =>
    onePage({ contents: { dict: flate, bytes: bomb(' ', 160 * megabyte) } }),
  'a content stream that expands a thousandfold under two filters': () =>
    onePage({
      contents: { dict: '/Filter[/Fl/Fl]', bytes: deflateSync(bomb(' ', 160 * megabyte)) },
    }),
  'a page that contains one decompression bomb a hundred times': () =>
    onePage({
      contentsKey: `[${'4 0 R '.repeat(100)}]`,
      contents: { dict: flate, bytes: bomb(' ', 60 * megabyte) },
    }),
  'a page of millions of words': () =>
    onePage({ contents: { dict: flate, bytes: bomb('BT /F 1 Tf (ab) Tj ET ', 60 * megabyte) } }),
  'a page of millions of saved states': () =>
    onePage({ contents: { dict: flate, bytes: bomb('q ', 60 * megabyte) } }),
  'a page of numbers without an operator': () =>
    onePage({ contents: { dict: flate, bytes: bomb('1 ', 100 * megabyte) } }),
  'a page that is one string': () =>
    onePage({ contents: { dict: flate, bytes: bomb('(', 60 * megabyte) } }),
  'a page of one long array of text': () =>
    onePage({
      contents: {
        dict: flate,
        bytes: deflateSync(
          Buffer.concat([
            Buffer.from('BT /F 12 Tf ['),
            Buffer.alloc(40 * megabyte, '(a)9 '),
            Buffer.from('] TJ ET'),
          ]),
        ),
      },
    }),
  'a page of empty inline pictures': () =>
    onePage({ contents: { dict: flate, bytes: bomb('BI /W 9 /H 9 ID ', 40 * megabyte) } }),
  'object streams that are decompression bombs': () => objectStreams(40, 100 * megabyte),
  'object streams that are larger than allowed': () => objectStreams(2, 200 * megabyte),
  'a ToUnicode map that is a decompression bomb': () =>
    onePage({
      font: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 7 0 R>>',
      more: [
        { dict: flate, bytes: bomb('1 beginbfchar <0041> <0042> endbfchar ', 120 * megabyte) },
      ],
    }),
  'a font file that is a decompression bomb': () =>
    composite('', [{ dict: flate, bytes: bomb('\0', 120 * megabyte) }]),
  'a CIDToGIDMap that is a decompression bomb': () =>
    composite('/CIDToGIDMap 8 0 R', [{ dict: flate, bytes: bomb('\x01', 120 * megabyte) }]),
  'a ToUnicode map with a range of all codes': () =>
    composite(
      '',
      [
        'null',
        characterMap('2 beginbfrange <00000000> <ffffffff> <0041> <0000> <ffff> [] endbfrange'),
      ],
      '/ToUnicode 9 0 R',
    ),
  'a ToUnicode map of thousands of full ranges': () =>
    composite(
      '',
      ['null', characterMap(`100 beginbfrange ${'<0000> <ffff> <0041> '.repeat(5000)} endbfrange`)],
      '/ToUnicode 9 0 R',
    ),
  'a ToUnicode map with a value of a megabyte': () =>
    composite(
      '',
      ['null', characterMap(`1 beginbfrange <0000> <ffff> <${'0041'.repeat(250_000)}> endbfrange`)],
      '/ToUnicode 9 0 R',
    ),
  'a character map that uses itself': () =>
    onePage({
      font: '<</Type/Font/Subtype/Type0/BaseFont/X/Encoding 7 0 R/DescendantFonts[8 0 R]>>',
      contents: contents('BT /F 12 Tf <00410042> Tj ET'),
      more: [
        { dict: '/Type/CMap/CMapName/Own/UseCMap 7 0 R', bytes: Buffer.from('/Own usecmap') },
        '<</Type/Font/Subtype/CIDFontType0/BaseFont/X/DescendantFonts[8 0 R]>>',
      ],
    }),
  'widths for two billion characters': () =>
    composite('/W[0 2147483647 500 1 -5 3 0 [1e308 -1e308] 0 1e18 7]/DW 1e300', ['null']),
  'a first character far below the last': () =>
    onePage({
      font: '<</Type/Font/Subtype/TrueType/BaseFont/X/FirstChar -2147483648/LastChar 2147483647/Widths[500]/Encoding<</Differences[-9 /a 4294967295 /b 1e99 /c]>>>>',
    }),
  'a font that is its own descendant': () =>
    onePage({
      font: '<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[5 0 R]/ToUnicode 5 0 R>>',
    }),
  'a font drawn with itself': () =>
    onePage({
      font: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 80/LastChar 80/Widths[1]/CharProcs<</a 7 0 R>>/Encoding<</Differences[80 /a]>>/Resources 6 0 R>>',
      more: [contents('BT /F 12 Tf (P) Tj ET')],
    }),
  'pages that are their own parents': () => tree('<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R]/Count 3>>'),
  'a million references to one page': () =>
    tree(`<</Type/Pages/Kids[${'3 0 R '.repeat(1_000_000)}]/Count 1000000>>`),
  'a million references to missing pages': () =>
    tree(`<</Type/Pages/Kids[${'99 0 R '.repeat(1_000_000)}]/Count 1000000>>`),
  'a wrong count of pages': () => tree('<</Type/Pages/Kids[3 0 R]/Count 2147483647>>'),
  'a negative count of pages': () => tree('<</Type/Pages/Kids[3 0 R]/Count -7>>'),
  'a page tree a hundred thousand levels deep': () =>
    tree(
      '<</Type/Pages/Kids[6 0 R]/Count 1>>',
      Array.from(
        { length: 100_000 },
        (_, index) => `<</Type/Pages/Kids[${index + 7} 0 R]/Count 1>>`,
      ),
    ),
  'a page tree that doubles forty times': () =>
    tree(
      '<</Type/Pages/Kids[6 0 R 6 0 R]/Count 2>>',
      Array.from({ length: 40 }, (_, index) =>
        index === 39 ? '3 0 R' : `<</Type/Pages/Kids[${index + 7} 0 R ${index + 7} 0 R]/Count 2>>`,
      ),
    ),
  'parents in a circle': () =>
    writePdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1/Parent 3 0 R>>',
      '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
      { dict: '', bytes: hello },
    ]),
  'a form that draws itself': () =>
    onePage({
      contents: contents('/X Do'),
      resources: '/XObject<</X 7 0 R>>',
      more: [form('BT /F 9 Tf (a) Tj ET /X Do /X Do', '/XObject<</X 7 0 R>>')],
    }),
  'forms that each draw the next one ten times': () =>
    onePage({
      contents: contents('/X Do'),
      resources: '/XObject<</X 7 0 R>>',
      more: Array.from({ length: 12 }, (_, level) =>
        form('/X Do '.repeat(10), `/XObject<</X ${level + 8} 0 R>>`),
      ),
    }),
  'forms nested ten thousand levels deep': () =>
    onePage({
      contents: contents('/X Do'),
      resources: '/XObject<</X 7 0 R>>',
      more: Array.from({ length: 10_000 }, (_, level) =>
        form('/X Do', `/XObject<</X ${level + 8} 0 R>>`),
      ),
    }),
  'arrays a million deep': () => onePage({ catalog: `/Deep ${nested('[', ']', 1_000_000)}` }),
  'dictionaries a million deep': () =>
    onePage({ catalog: `/Deep ${nested('<</A ', '>>', 1_000_000)}` }),
  'arrays that never close': () => onePage({ contents: contents('['.repeat(3_000_000)) }),
  'dictionaries that never close in a page': () =>
    onePage({ contents: contents('<</A '.repeat(1_000_000)) }),
  'a negative stream length': () => onePage({ contents: { dict: '/Length -5', bytes: hello } }),
  'a stream length far beyond the file': () =>
    onePage({ contents: { dict: '/Length 99999999999', bytes: hello } }),
  'a stream that is its own length': () =>
    onePage({ contents: { dict: '/Length 4 0 R', bytes: hello } }),
  'references in a circle': () => onePage({ contents: '7 0 R', more: ['8 0 R', '7 0 R'] }),
  'a cross-reference table that refers to itself': () =>
    writePdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>'], {
      ending:
        'xref\n0 1\n0000000000 65535 f \ntrailer\n<</Root 1 0 R/Size 3/Prev %START/XRefStm %START>>\n',
    }),
  'a cross-reference table of two billion rows': () =>
    writePdf(['<</Type/Catalog/Pages 2 0 R>>'], {
      ending: 'xref\n0 2147483647\n0000000000 65535 f \ntrailer\n<</Root 1 0 R/Size 2147483647>>\n',
    }),
  'a chain of a thousand cross-reference tables': () => {
    let file = onePage({});
    for (let count = 0; count < 1000; count++) {
      const previous = file.lastIndexOf('xref\n0');
      const start = file.length;
      const table = `xref\n0 0\ntrailer\n<</Root 1 0 R/Size 7/Prev ${previous}>>\nstartxref\n${start}\n%%EOF\n`;
      file = Buffer.concat([file, Buffer.from(table)]);
    }
    return file;
  },
  'a cross-reference stream with impossible row widths': () =>
    crossReferenceStream('/Size 4/W[1 99999999 1]', Buffer.alloc(99)),
  'a cross-reference stream with rows of width zero': () =>
    crossReferenceStream('/Size 2147483647/W[0 0 0]', Buffer.alloc(9)),
  'a cross-reference stream with a negative row width': () =>
    crossReferenceStream('/Size 4/W[1 -2 1]', Buffer.alloc(99)),
  'a cross-reference stream whose index covers everything': () =>
    crossReferenceStream('/Size 4/W[1 2 1]/Index[0 2147483647 -5 99999999999]', Buffer.alloc(99)),
  'an object stream that contains itself': () => objectStreams(1, 64),
  'bookmarks in a circle': () =>
    onePage({
      catalog: '/Outlines 7 0 R',
      more: [
        '<</Type/Outlines/First 8 0 R/Last 8 0 R/Count 9>>',
        '<</Title(A)/Parent 7 0 R/Next 8 0 R/First 7 0 R/Dest[3 0 R/Fit]>>',
      ],
    }),
  'bookmarks a hundred thousand levels deep': () =>
    onePage({
      catalog: '/Outlines 7 0 R',
      more: Array.from(
        { length: 100_000 },
        (_, level) => `<</Title(A)/First ${level + 8} 0 R/Dest[3 0 R/Fit]>>`,
      ),
    }),
  'destination names in a circle': () =>
    onePage({
      catalog: '/Outlines 8 0 R/Names<</Dests 7 0 R>>',
      more: [
        `<</Kids[${'7 0 R '.repeat(50)}]/Limits[(a)(z)]>>`,
        '<</First 9 0 R>>',
        '<</Title(A)/Dest(m)>>',
      ],
    }),
  'numbers beyond all limits': () =>
    onePage({
      page: '/MediaBox[-1e400 1e308 9e999 -5]/Rotate 1e300/UserUnit -1e308',
      contents: contents(
        `BT /F 1e308 Tf 1e308 Tw 1e308 Tc 1e-320 Tz ${'9'.repeat(400)} TL 1e308 0 0 1e308 0 0 Tm 1e308 1e308 Td (words in space) Tj T* (more) ' [(a) -1e308 (b)] TJ ET 1e308 0 0 1e308 1e308 0 cm BT 0 0 0 0 0 0 Tm /F 12 Tf (none) Tj ET`,
      ),
    }),
  'one text drawn fifty thousand times in one place': () =>
    onePage({
      contents: {
        dict: flate,
        bytes: bomb('BT /F 9 Tf 20 700 Td (over and over) Tj ET ', 2 * megabyte),
      },
    }),
  'a picture that decodes to 11 GB (JBIG2)': () => bigPicture('JBIG2Decode'),
  'a picture that decodes to 11 GB (JPX)': () => bigPicture('JPXDecode'),
  'a picture that decodes to 11 GB (Flate)': () => bigPicture('FlateDecode'),
  'a picture that decodes to 11 GB, without cross-references (JBIG2)': () =>
    withoutReferences(bigPicture('JBIG2Decode')),
  'a picture that decodes to 11 GB, without cross-references (JPX)': () =>
    withoutReferences(bigPicture('JPXDecode')),
  'a picture that decodes to 11 GB, without cross-references (Flate)': () =>
    withoutReferences(bigPicture('FlateDecode')),
  'a content stream that expands a thousandfold, without cross-references': () =>
    withoutReferences(onePage({ contents: { dict: flate, bytes: bomb('q ', 160 * megabyte) } })),
  'a form that draws itself, without cross-references': () =>
    withoutReferences(
      onePage({
        contents: contents('/X Do'),
        resources: '/XObject<</X 7 0 R>>',
        more: [form('/X Do '.repeat(10), '/XObject<</X 7 0 R>>')],
      }),
    ),
};
