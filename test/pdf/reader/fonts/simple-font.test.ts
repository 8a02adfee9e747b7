import assert from 'node:assert/strict';
import type { PdfObject } from '../../../../src/pdf/reader/syntax/objects.js';
import { brokenStream, dict, list, stream, textOf, widthsOf } from './make-font.js';
import { loadFont } from '../../../../src/pdf/reader/content/page-reader.js';

function simple(entries: Record<string, PdfObject>) {
  return loadFont(dict({ Type: '/Font', Subtype: '/Type1', BaseFont: '/ABCDEF+Any', ...entries }));
}

const privateUse = stream('1 beginbfrange <00> <ff> <e000> endbfrange');

describe('A font with single-byte codes', () => {
  it('decodes its codes by the encoding that it names', () => {
    const codes = 'A\x80\x8e\xe4';
    assert.equal(textOf(simple({ Encoding: '/WinAnsiEncoding' }), codes), 'A€Žä');
    assert.equal(textOf(simple({ Encoding: '/MacRomanEncoding' }), codes), 'AÄé‰');
    assert.equal(textOf(simple({ Encoding: '/StandardEncoding' }), "'`\xae"), '’‘ﬁ');
    assert.equal(textOf(simple({ Encoding: '/MacExpertEncoding' }), '0Va'), '0ﬀa');
  });

  it('replaces codes of the encoding by the consecutive names of Differences', () => {
    const font = simple({
      Encoding: dict({
        BaseEncoding: '/WinAnsiEncoding',
        Differences: list(
          65,
          '/alpha',
          '/Zcaron',
          200,
          '/f_f_i',
          '/A.sc',
          '/uni20AC0041',
          '/u1F600',
        ),
      }),
    });
    assert.equal(textOf(font, 'ABC\xc8\xc9\xca\xcb'), 'αŽCffiA€A😀');
  });

  it('knows the names of small capitals, old-style figures and large TeX symbols', () => {
    const names = list(
      1,
      '/Asmall',
      '/Eacutesmall',
      '/oneoldstyle',
      '/parenleftBigg',
      '/summationdisplay',
    );
    const font = simple({ Encoding: dict({ Differences: names }) });
    assert.equal(textOf(font, '\x01\x02\x03\x04\x05'), 'aé1(∑');
  });

  it('prefers ToUnicode, including ligatures and characters beyond 16 bits', () => {
    const map = '3 beginbfchar <41> <00660069> <42> <D83DDE00> <43> <78> endbfchar';
    const font = simple({ Encoding: '/WinAnsiEncoding', ToUnicode: stream(map) });
    assert.equal(textOf(font, 'ABCD'), 'fi😀xD');
  });

  it('uses the encoding for codes that ToUnicode maps to unreadable characters', () => {
    const map = '4 beginbfchar <41> <0000> <42> <FFFD> <43> <E123> <44> <0007> endbfchar';
    const font = simple({ Encoding: '/WinAnsiEncoding', ToUnicode: stream(map) });
    assert.equal(textOf(font, 'ABCDE'), 'ABCDE');
    assert.equal(
      textOf(simple({ ToUnicode: brokenStream(), Encoding: '/WinAnsiEncoding' }), 'A'),
      'A',
    );
  });

  it('tells no letters where its table only repeats the numbers of the glyphs', () => {
    const counted = (last: number, map: string) =>
      simple({
        Subtype: '/TrueType',
        FirstChar: 33,
        LastChar: last,
        Widths: list(...Array<number>(last - 32).fill(500)),
        ToUnicode: stream(`1 beginbfrange <21> ${map} endbfrange`),
      });
    assert.equal(textOf(counted(38, '<26> <0021>'), '!"&'), '\ufffd\ufffd\ufffd');
    assert.equal(textOf(counted(38, '<26> <0061>'), '!"&'), 'abf');
    assert.equal(textOf(counted(126, '<7e> <0021>'), '!"&'), '!"&');
  });

  it('knows the signs of TeX by their names if ToUnicode only repeats their codes', () => {
    const map = '3 beginbfchar <A1> <00A1> <32> <0032> <6A> <007C> endbfchar';
    const Differences = list(50, '/element', 106, '/bar', 161, '/minus');
    const font = (BaseFont: string) =>
      textOf(
        simple({ BaseFont, Encoding: dict({ Differences }), ToUnicode: stream(map) }),
        '2j\xa1',
      );
    assert.equal(font('/ABCDEF+CMSY10'), '∈|−');
    assert.equal(font('/ABCDEF+Other'), '2|¡');
  });

  it('knows the symbols of Symbol, ZapfDingbats and Wingdings, even if ToUnicode contains only their codes', () => {
    assert.equal(textOf(simple({ BaseFont: '/Symbol' }), 'ab\xb7'), 'αβ•');
    assert.equal(textOf(simple({ BaseFont: '/ZapfDingbats' }), '4l'), '✔●');
    const bullet = stream('1 beginbfchar <01> <F0B7> endbfchar');
    assert.equal(textOf(simple({ BaseFont: '/ABCDEF+SymbolMT', ToUnicode: bullet }), '\x01'), '•');
    const square = stream('1 beginbfchar <01> <F0A7> endbfchar');
    assert.equal(
      textOf(simple({ BaseFont: '/Wingdings-Regular', ToUnicode: square }), '\x01'),
      '▪',
    );
    assert.equal(textOf(simple({ BaseFont: '/Wingdings-Regular' }), '\xfa'), '▫');
  });

  it('has no text if it draws icons, whatever its encoding and ToUnicode claim', () => {
    const letter = stream('1 beginbfchar <01> <0111> endbfchar');
    assert.equal(textOf(simple({ BaseFont: '/FontAwesome5Free', ToUnicode: letter }), '\x01A'), '');
  });

  it('gives replacement characters if its glyph names are only numbers', () => {
    const names = list(65, ...['/G01', '/G02', '/C65', '/g7', '/a12', '/cid99']);
    const font = simple({
      Encoding: dict({ Differences: names }),
      FirstChar: 65,
      Widths: [5, 5, 5, 5, 5, 5],
    });
    assert.equal(textOf(font, 'AB'), '\ufffd\ufffd');
  });

  it('gives a glyph the same text, whatever was decoded before', () => {
    const make = () =>
      simple({
        FirstChar: 1,
        Widths: Array<number>(40).fill(500),
        ToUnicode: stream('1 beginbfchar <05> <0041> endbfchar'),
        Encoding: dict({ Differences: list(1, ...Array<string>(40).fill('/G1')) }),
      });
    assert.equal(textOf(make(), '\x05'), 'A');
    assert.equal(textOf(make(), '\x01\x02\x03\x04\x05'), '\ufffd\ufffd\ufffd\ufffdA');
  });

  it('treats few private-use characters as icons without text, and many as unknown letters', () => {
    const widths = { FirstChar: 0, Widths: Array<number>(256).fill(500) };
    const Encoding = dict({ Differences: list(0, ...Array<string>(256).fill('/G1')) });
    const few = stream('1 beginbfrange <41> <43> <E041> endbfrange');
    assert.equal(textOf(simple({ ...widths, Encoding, ToUnicode: few }), 'ABC'), '');
    const many = simple({ ...widths, Encoding, ToUnicode: privateUse });
    assert.equal(textOf(many, 'ABC'), '\ufffd\ufffd\ufffd');
  });

  it('has no text for signs whose name or font says that they are none', () => {
    const names = list(1, '/noteheads.s2', '/arrowhead');
    const music = { FirstChar: 1, Widths: [500, 500], Encoding: dict({ Differences: names }) };
    assert.equal(textOf(simple(music), '\x01\x02'), '');
    const numbers = dict({ Differences: list(1, '/g1', '/g2') });
    const drawing = { ...music, Encoding: numbers, BaseFont: '/ABCDEF+LCIRCLE10' };
    assert.equal(textOf(simple(drawing), '\x01\x02'), '');
  });

  it('reads numbered glyphs as ASCII where all widths are those of its letters', () => {
    const letters = 'abcdefghijklmnopqrstuvw';
    const byLetter: Record<string, number> = {
      i: 250,
      j: 260,
      l: 250,
      t: 300,
      f: 290,
      m: 800,
      w: 750,
    };
    const Widths = Array.from(letters, (letter) => byLetter[letter] ?? 520);
    const Encoding = dict({
      Differences: list(97, ...Array.from(letters, (_, index) => `/g${index}`)),
    });
    assert.equal(textOf(simple({ FirstChar: 97, Widths, Encoding }), 'mill'), 'mill');
    const alike = Widths.map(() => 520);
    assert.equal(textOf(simple({ FirstChar: 97, Widths: alike, Encoding }), 'mi'), '\ufffd\ufffd');
  });

  it('has widths from its own table, its descriptor or the standard fonts', () => {
    const own = simple({
      FirstChar: 65,
      Widths: [250, 'no number', 1e300],
      FontDescriptor: dict({ MissingWidth: 333 }),
    });
    assert.deepEqual(widthsOf(own, 'ABCZ'), [0.25, 0.333, 100, 0.333]);
    const standard = (BaseFont: string) =>
      widthsOf(simple({ BaseFont, Encoding: '/WinAnsiEncoding' }), 'Ai\xe4 ');
    assert.deepEqual(standard('/Helvetica'), [0.667, 0.222, 0.556, 0.278]);
    assert.deepEqual(standard('/Times-Bold'), [0.722, 0.278, 0.5, 0.25]);
    assert.deepEqual(standard('/Courier-Oblique'), [0.6, 0.6, 0.6, 0.6]);
    assert.deepEqual(widthsOf(simple({ BaseFont: '/Symbol' }), 'a'), [0.631]);
  });

  it('is not monospaced for the one width that is stated for all letters it does not have', () => {
    const digits = simple({
      FirstChar: 40,
      Widths: [389, 389, 500],
      Encoding: '/WinAnsiEncoding',
      FontDescriptor: dict({ MissingWidth: 500 }),
    });
    assert.equal(digits.mono, false);
  });

  it('has widths scaled by the matrix if it is a Type3 font', () => {
    const font = loadFont(
      dict({
        Subtype: '/Type3',
        FontMatrix: [0.01, 0, 0, 0.01, 0, 0],
        FirstChar: 97,
        Widths: [50],
        Encoding: dict({ Differences: list(97, '/a') }),
      }),
    );
    assert.deepEqual(widthsOf(font, 'a'), [0.5]);
    assert.equal(textOf(font, 'a'), 'a');
  });

  it('has the size of its glyphs if they are pictures and wider than any letter', () => {
    const drawn = (unit: number) =>
      simple({
        Subtype: '/Type3',
        FontMatrix: [unit, 0, 0, -unit, 0, 0],
        FirstChar: 11,
        Widths: [480, 554, 831],
        Encoding: dict({ Differences: list(11, '/a', '/b', '/c') }),
      });
    assert.deepEqual([drawn(0.001).em, drawn(0.012).em], [1, 9.972]);
  });

  it('knows the letters of TeX whose glyphs have their own signs as names', () => {
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => `/${letter}`);
    const font = simple({
      Subtype: '/Type3',
      FontMatrix: [1, 0, 0, -1, 0, 0],
      Widths: [],
      Encoding: dict({ Differences: list(12, '/\x0c', 33, '/!', 97, ...letters) }),
    });
    assert.equal(textOf(font, '\x0ca!'), 'fia!');
  });

  it('marks only code 32 as a space for word spacing, and reuses its glyphs', () => {
    const font = simple({ Encoding: dict({ Differences: list(33, '/space') }) });
    const [space, other, again] = font.decode(' ! ');
    assert.deepEqual([space?.isSpace, other?.isSpace, other?.unicode], [true, false, ' ']);
    assert.equal(space, again);
  });
});
