import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PdfObject, Stream } from '../../../../src/pdf/reader/syntax/objects.js';
import { dict, list, stream, textOf } from './make-font.js';
import { loadFont } from '../../../../src/pdf/reader/content/page-reader.js';

const folder = join(
  dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
  'standard_fonts',
);
const program = (name: string) => stream(readFileSync(join(folder, name)));

/** A font whose dictionary does not describe its codes. */
function embedding(key: string, file: Stream, more: Record<string, PdfObject> = {}) {
  return loadFont(
    dict({
      Subtype: '/Type1',
      BaseFont: '/ABCDEF+Any',
      FirstChar: 0,
      Widths: Array<number>(256).fill(500),
      FontDescriptor: dict({ Flags: 4, [key]: file }),
      ...more,
    }),
  );
}

const type1 = (encoding: string) =>
  stream(`%!PS-AdobeFont-1.0: Any
11 dict begin /FontType 1 def ${encoding} currentdict end
currentfile eexec dup 3 /C put`);

const spelled = `/Encoding 256 array
0 1 255 {1 index exch /.notdef put} for
dup 1 /alpha put
dup 8#102 /omega put
readonly def`;

const u16 = (...values: number[]) => values.flatMap((value) => [(value >> 8) & 255, value & 255]);

/** A TrueType program with a symbol map at 0xF000 and the glyph names .notdef, Euro and uni41. */
function symbolTrueType(): Stream {
  // Format 4: the codes F021 and F022 are the glyphs 1 and 2.
  const map = u16(4, 32, 0, 4, 0, 0, 0, 0xf022, 0xffff, 0, 0xf021, 0xffff, 1 - 0xf021, 1, 0, 0);
  const cmap = [...u16(0, 1, 3, 0, 0, 12), ...map];
  const names = Buffer.from('\x04Euro\x05uni41');
  const post = [...u16(2, 0), ...Array<number>(28).fill(0), ...u16(3, 0, 258, 36), ...names];
  const at = 12 + 2 * 16;
  const table = (tag: string, from: number, length: number) => [
    ...Buffer.from(tag),
    ...u16(0, 0, 0, from, 0, length),
  ];
  return stream(
    Buffer.from([
      ...u16(1, 0, 2, 0, 0, 0),
      ...table('cmap', at, cmap.length),
      ...table('post', at + cmap.length, post.length),
      ...cmap,
      ...post,
    ]),
  );
}

describe('An embedded font program', () => {
  it('provides the encoding of a Type1 font, listed or standard', () => {
    const font = embedding('FontFile', type1(spelled));
    assert.equal(textOf(font, '\x01\x42\x43'), 'αω');
    const standard = embedding('FontFile', type1('/Encoding StandardEncoding def'));
    assert.equal(textOf(standard, "A'"), 'A’');
  });

  it('is used only for codes that the PDF does not name', () => {
    const Encoding = dict({ Differences: list(1, '/beta') });
    assert.equal(textOf(embedding('FontFile', type1(spelled), { Encoding }), '\x01\x42'), 'βω');
  });

  it('provides the encoding of a CFF font, and the glyph names of a composite font', () => {
    const file = program('FoxitSerif.pfb');
    assert.equal(textOf(embedding('FontFile3', file), "A'\x01"), 'A’');
    const composite = loadFont(
      dict({
        Subtype: '/Type0',
        Encoding: '/Identity-H',
        DescendantFonts: [dict({ FontDescriptor: dict({ FontFile3: file }) })],
      }),
    );
    assert.equal(textOf(composite, '\0\x02\0\x03\0\x24'), '!"C');
  });

  it('provides the characters of TrueType glyphs by its Unicode map', () => {
    const file = program('LiberationSans-Regular.ttf');
    const composite = (more: Record<string, PdfObject>) =>
      loadFont(
        dict({
          Subtype: '/Type0',
          Encoding: '/Identity-H',
          DescendantFonts: [dict({ FontDescriptor: dict({ FontFile2: file }), ...more })],
        }),
      );
    assert.equal(textOf(composite({}), '\0\x24\0\x25\0\x44'), 'ABa');
    const CIDToGIDMap = stream('\0\0\0\x44\0\x24');
    assert.equal(textOf(composite({ CIDToGIDMap }), '\0\x01\0\x02'), 'aA');
  });

  it('provides the characters of a symbolic TrueType font by its glyph names', () => {
    const font = embedding('FontFile2', symbolTrueType(), { Subtype: '/TrueType' });
    assert.equal(textOf(font, '\x21\x22'), '€A');
  });

  it('may be truncated or damaged anywhere, and the font still decodes', () => {
    for (const name of ['FoxitSymbol.pfb', 'LiberationSans-Bold.ttf']) {
      const bytes = readFileSync(join(folder, name));
      for (let length = 1; length < 2000; length += 97) {
        const mutilated = Buffer.from(bytes.subarray(0, length * 10));
        for (let at = 0; at < 40; at++) mutilated[(at * 7919) % Math.min(600, length)] = at * 41;
        const font = embedding('FontFile3', stream(mutilated));
        assert.equal(font.decode('Any').length, 3);
      }
    }
  });
});
