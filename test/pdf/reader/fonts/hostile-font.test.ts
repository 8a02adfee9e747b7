import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Dict, Name, Ref, type PdfObject } from '../../../../src/pdf/reader/syntax/objects.js';
import { brokenStream, dict, stream } from './make-font.js';
import type { PdfFont } from '../../../../src/pdf/reader/fonts/font.js';
import { loadFont } from '../../../../src/pdf/reader/content/page-reader.js';

const keys = [
  ...[
    'Type',
    'Subtype',
    'BaseFont',
    'Name',
    'Encoding',
    'BaseEncoding',
    'Differences',
    'ToUnicode',
  ],
  ...['FirstChar', 'LastChar', 'Widths', 'MissingWidth', 'FontDescriptor', 'Flags', 'FontWeight'],
  ...['FontMatrix', 'DescendantFonts', 'CIDSystemInfo', 'Ordering', 'W', 'DW', 'W2', 'DW2'],
  ...['CIDToGIDMap', 'FontFile', 'FontFile2', 'FontFile3', 'StemV', 'ItalicAngle', 'UseCMap'],
];
const names = [
  ...['Type0', 'Type1', 'Type3', 'TrueType', 'Identity-H', 'Identity-V', 'UniGB-UCS2-H', 'H', 'V'],
  ...['WinAnsiEncoding', 'toString', '__proto__', '../../package', 'Symbol', 'Wingdings-Regular'],
];
const words = [
  ...['begincodespacerange', 'endcodespacerange', 'endcidrange', 'endcidchar', 'endbfrange'],
  ...['endbfchar', '/V usecmap', '/Adobe-GB1-UCS2 usecmap', 'def', '/WMode', '<<', '[', ']', '>>'],
  ...['<00>', '<0000>', '<ffff>', '<00000000>', '<ffffffff>', '<d800>', '<dfffdfff>', '7', '-1e9'],
];

const number = fc.oneof(
  fc.integer({ min: -5, max: 300 }),
  fc.constantFrom(1e308, -1e308, 2 ** 53, 65_535, 0.1, NaN),
);
const content = fc.oneof(
  fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((each) => each.join(' ')),
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(
      fc.constantFrom('\0\x01\0\0', 'OTTO', '\x01\0\x04\x04', '%!PS /Encoding'),
      fc.uint8Array({ maxLength: 300 }),
    )
    .map(([head, rest]) => Buffer.concat([Buffer.from(head, 'latin1'), rest])),
);

const { value } = fc.letrec<{ value: PdfObject; dict: Dict }>((tie) => ({
  dict: fc
    .dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 14 })
    .map((entries) => dict(entries)),
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    number,
    fc.constantFrom(...names, 'G1', 'alpha').map((name) => Name.of(name)),
    fc.constantFrom<PdfObject>(null, true, 'Japan1', 'GB1', '', '\0\xff'),
    content.map((bytes) => stream(bytes)),
    fc.constant(brokenStream()),
    fc.array(tie('value'), { maxLength: 12 }),
    tie('dict'),
    content.chain((bytes) =>
      tie('dict').map((own) => stream(bytes, Object.fromEntries(own.entries))),
    ),
  ),
}));
const anyFont = fc
  .dictionary(fc.constantFrom(...keys), value, { maxKeys: 14 })
  .map((entries) => dict(entries));

const codes = fc
  .uint8Array({ maxLength: 60 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'));

function textsOf(font: PdfFont): string[] {
  return font.decode('\0\x01').map(({ unicode }) => unicode);
}

describe('A random or hostile font dictionary', () => {
  it('gives a font that decodes to well-formed text with finite widths', () => {
    fc.assert(
      fc.property(anyFont, codes, (font, text) => {
        const loaded = loadFont(font);
        for (const { unicode, width } of loaded.decode(text)) {
          assert.ok(Number.isFinite(width) && Math.abs(width) <= 100);
          assert.equal(Buffer.from(unicode).toString(), unicode);
          assert.doesNotMatch(unicode, /[\0-\x1f\x7f-\x9f\ue000-\uf8ff]/);
        }
        assert.equal(typeof loaded.vertical, 'boolean');
      }),
      { numRuns: 3000, seed: 20_261_121 },
    );
  });

  it('takes less than five seconds of processor time, even if its tables repeatedly claim all codes', () => {
    const all = '1 begincodespacerange <00000000> <ffffffff> endcodespacerange ';
    const ranges = '<00000000> <ffffffff> <0041>\n'.repeat(50_000);
    const started = process.cpuUsage();
    const font = loadFont(
      dict({
        Subtype: Name.of('Type0'),
        Encoding: stream(`${all} begincidrange ${ranges.replaceAll('<0041>', '1')} endcidrange`),
        ToUnicode: stream(`${all} beginbfrange ${ranges} endbfrange`),
        DescendantFonts: [
          dict({
            W: Array<PdfObject>(1000)
              .fill([1, 2])
              .flatMap((x) => [1, x]),
          }),
        ],
      }),
    );
    font.decode('\0\0\0\x01'.repeat(50_000));
    const { user, system } = process.cpuUsage(started);
    assert.ok(user + system < 5e6, `${user + system} microseconds`);
  });

  it('may contain a CMap that uses itself', () => {
    const map = stream('1 beginbfchar <0001> <0041> endbfchar');
    map.dict.entries.set('UseCMap', map);
    const font = loadFont(dict({ Subtype: Name.of('Type0'), ToUnicode: map, Encoding: map }));
    assert.equal(font.decode('\0\x01').length, 1);
  });

  it('gives a font of replacement characters if its references fail', () => {
    const broken = () => {
      const made = new Dict({
        resolve: () => {
          throw new Error('a reference into nothing');
        },
      });
      for (const key of keys) made.entries.set(key, new Ref(1, 0));
      return made;
    };
    assert.deepEqual(textsOf(loadFont(broken())), ['\ufffd']);
    const descendant = broken();
    for (const key of ['FontDescriptor', 'BaseFont', 'W', 'DW']) descendant.entries.delete(key);
    const font = loadFont(
      dict({ Subtype: Name.of('Type0'), BaseFont: Name.of('Any'), DescendantFonts: [descendant] }),
    );
    assert.deepEqual(textsOf(font), ['\ufffd']);
  });
});
