import assert from 'node:assert/strict';
import type { PdfObject } from '../../../../src/pdf/reader/syntax/objects.js';
import { brokenStream, dict, list, stream, textOf, widthsOf } from './make-font.js';
import { loadFont } from '../../../../src/pdf/reader/content/page-reader.js';

function composite(entries: Record<string, PdfObject>, descendant: Record<string, PdfObject> = {}) {
  return loadFont(
    dict({
      Subtype: '/Type0',
      BaseFont: '/ABCDEF+Any',
      Encoding: '/Identity-H',
      DescendantFonts: [dict({ Subtype: '/CIDFontType2', ...descendant })],
      ...entries,
    }),
  );
}

function collection(ordering: string, encoding: string) {
  const system = dict({ Registry: 'Adobe', Ordering: ordering, Supplement: 0 });
  return composite({ Encoding: encoding }, { CIDSystemInfo: system });
}

const latin1 = (hex: string) => Buffer.from(hex, 'hex').toString('latin1');

/** A map like those of cairo, LibreOffice and LaTeX. */
const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
2 beginbfchar <0003> <0020> <0004> <00660066> endbfchar
3 beginbfrange
<0010> <0012> <0041>
<0020> <0022> [<03B1> <D83DDE00> /Zcaron]
<0030> <0031> <D83DDE00>
endbfrange endcmap CMapName currentdict /CMap defineresource pop end end`;

describe('A font with multi-byte codes', () => {
  it('decodes glyph numbers by ToUnicode: characters, ranges, lists, ligatures and surrogate pairs', () => {
    const font = composite({ ToUnicode: stream(toUnicode) });
    assert.equal(textOf(font, latin1('00100011001200030004')), 'ABC ff');
    assert.equal(textOf(font, latin1('00200021002200300031')), 'α😀Ž😀😁');
    assert.equal(font.vertical, false);
  });

  it('gives replacement characters if nothing identifies its glyphs', () => {
    for (const entries of [{}, { ToUnicode: brokenStream() }, { ToUnicode: stream('nothing') }]) {
      const font = composite(entries);
      assert.equal(textOf(font, latin1('00100011')), '\ufffd\ufffd');
    }
    const unknown = composite({ Encoding: '/Nobodys-H', ToUnicode: stream(toUnicode) });
    assert.equal(textOf(unknown, latin1('00100fff')), 'A\ufffd');
  });

  it('decodes the CJK collections by the encodings that PDF defines', () => {
    const han = collection('GB1', '/UniGB-UCS2-H');
    assert.equal(textOf(han, latin1('4e2d65870041')), '中文A');
    assert.equal(
      textOf(collection('Japan1', '/90ms-RKSJ-H'), latin1('93fa967b8cea4142b1')),
      '日本語ABｱ',
    );
    assert.equal(textOf(collection('Korea1', '/KSCms-UHC-H'), latin1('c7d1b1db41')), '한글A');
    assert.equal(textOf(collection('CNS1', '/ETen-B5-H'), latin1('a4a4a4e541')), '中文A');
    assert.equal(textOf(collection('Japan1', '/UniJIS-UTF16-H'), latin1('d842dfb765e5')), '𠮷日');
    assert.equal(textOf(collection('Japan1', '/Identity-H'), latin1('0cd40e8a')), '日本');
  });

  it('splits codes by the code ranges of an embedded CMap, which may extend another CMap', () => {
    const map = `2 begincodespacerange <00> <80> <8140> <9ffc> endcodespacerange
      1 begincidrange <20> <7e> 1 endcidrange
      2 begincidchar <8140> 200 <8141> 300 endcidchar`;
    const font = composite(
      {
        Encoding: stream(map),
        ToUnicode: stream('3 beginbfchar <41> <0041> <8140> <65E5> <8141> <672C> endbfchar'),
      },
      { W: [34, [250], 200, 300, 990] },
    );
    assert.equal(textOf(font, latin1('4181408141')), 'A日本');
    assert.deepEqual(widthsOf(font, latin1('4181408141')), [0.25, 0.99, 0.99]);
    const upon = composite(
      { Encoding: stream('/90ms-RKSJ-H usecmap 1 begincidchar <41> 3722 endcidchar') },
      { CIDSystemInfo: dict({ Ordering: 'Japan1' }) },
    );
    assert.equal(textOf(upon, latin1('93fa41')), '日本');
  });

  it('has widths from both forms of W, and from DW for other glyphs', () => {
    const font = composite(
      { ToUnicode: stream(toUnicode) },
      { DW: 800, W: [1, [100, 200, 'odd'], 10, 12, 300, '/odd', 20, [400]] },
    );
    const codes = latin1('000100020003000a000c000d0014');
    assert.deepEqual(widthsOf(font, codes), [0.1, 0.2, 0.8, 0.3, 0.3, 0.8, 0.4]);
    assert.deepEqual(widthsOf(composite({}), '\0\x01'), [1]);
  });

  it('has vertical advances from W2 and DW2', () => {
    const font = composite(
      { Encoding: '/Identity-V', ToUnicode: stream(toUnicode) },
      {
        DW2: [880, -900],
        W2: [1, [-500, 250, 880, -600, 250, 880], 5, 6, -700, 250, 880, 9, [-100, 0, 0]],
      },
    );
    assert.equal(font.vertical, true);
    assert.deepEqual(
      widthsOf(font, latin1('000100020003000500060009')),
      [0.5, 0.6, 0.9, 0.7, 0.7, 0.1],
    );
    assert.equal(composite({ Encoding: stream('/WMode 1 def') }).vertical, true);
  });

  it('replaces radicals and vertical punctuation by the usual characters', () => {
    const font = composite({
      ToUnicode: stream('2 beginbfchar <0001> <2F42> <0002> <FE35> endbfchar'),
    });
    assert.equal(textOf(font, '\0\x01\0\x02'), '文(');
  });

  it('marks no two-byte code as a space for word spacing', () => {
    const font = composite({ ToUnicode: stream('1 beginbfchar <0020> <0020> endbfchar') });
    assert.deepEqual(
      font.decode('\0 ').map(({ unicode, isSpace }) => [unicode, isSpace]),
      [[' ', false]],
    );
  });

  it('accepts a string that ends within a code, and a missing descendant font', () => {
    assert.equal(textOf(composite({ ToUnicode: stream(toUnicode) }), '\0\x10\0'), 'A');
    const alone = loadFont(dict({ Subtype: '/Type0', DescendantFonts: list() }));
    assert.deepEqual(widthsOf(alone, '\0\x01'), [1]);
  });
});
