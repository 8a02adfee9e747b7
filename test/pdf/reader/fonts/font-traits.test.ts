import assert from 'node:assert/strict';
import type { PdfObject } from '../../../../src/pdf/reader/syntax/objects.js';
import { dict, list, stream } from './make-font.js';
import { loadFont } from '../../../../src/pdf/reader/content/page-reader.js';

function traits(
  name: string,
  descriptor: Record<string, PdfObject>,
  more: Record<string, PdfObject> = {},
) {
  const { bold, italic, mono } = loadFont(
    dict({ Subtype: '/TrueType', BaseFont: name, FontDescriptor: dict(descriptor), ...more }),
  );
  return [bold && 'bold', italic && 'italic', mono && 'mono'].filter(Boolean).join(' ');
}

describe('The style of a font', () => {
  it('comes from its name without the subset prefix', () => {
    assert.equal(loadFont(dict({ BaseFont: '/ABCDEF+Lato-BoldItalic' })).name, 'Lato-BoldItalic');
    assert.equal(traits('/ABCDEF+Lato-BoldItalic', {}), 'bold italic');
    assert.equal(traits('/CMTT10', {}), 'mono');
    assert.equal(traits('/BOLDER+Lato', {}), '');
  });

  it('comes from the flags, weight, italic angle and stem width of its descriptor', () => {
    assert.equal(traits('/X', { Flags: 262_144 + 64 + 1 }), 'bold italic mono');
    assert.equal(traits('/X', { FontWeight: 700 }), 'bold');
    assert.equal(traits('/X', { FontWeight: 400, StemV: 200 }), '');
    assert.equal(traits('/X', { StemV: 180 }), 'bold');
    assert.equal(traits('/X-Regular', { StemV: 180 }), '');
    assert.equal(traits('/X', { ItalicAngle: -12 }), 'italic');
    // Ghostscript takes the stems of a few letters for those of the font, and one width for a fixed pitch.
    assert.equal(traits('/ABCDEF+CMR10', { StemV: 186, Flags: 1 }), '');
    assert.equal(traits('/CMBX10', { Flags: 1 }), 'bold');
  });

  it('is monospaced if usually narrow letters are as wide as the others', () => {
    const widths = (...Widths: number[]) => ({
      Encoding: '/WinAnsiEncoding',
      FirstChar: 97,
      Widths,
    });
    // a to i: in most fonts, a, b, d, e, g and h happen to be equally wide.
    assert.equal(traits('/X', {}, widths(6, 6, 6, 6, 6, 6, 6, 6, 6)), 'mono');
    assert.equal(traits('/X', {}, widths(6, 6, 5, 6, 6, 3, 6, 6, 2)), '');
    assert.equal(traits('/X', {}, widths(6, 6, 0, 6, 6, 0, 6, 6, 0)), '');
    // A letter that the subset does not have is as wide as its empty box.
    assert.equal(traits('/X', {}, widths(6, 6, 6, 6, 6, 6, 6, 6, 6, 4, 6)), 'mono');
    assert.equal(traits('/X', { Flags: 1 }, widths(6, 6, 5, 6, 6, 3, 6, 6, 2)), '');
    assert.equal(traits('/AmericanTypewriter', {}, widths(6, 6, 5, 6, 6, 3, 6, 6, 2)), '');
    assert.equal(traits('/AmericanTypewriter', {}), 'mono');
  });

  it('is not monospaced for Chinese and Japanese fonts, in spite of their flag', () => {
    assert.equal(traits('/MS-Mincho', { Flags: 1 }), '');
    assert.equal(traits('/ABCDEF+SimSun', { Flags: 1 }), '');
    assert.equal(traits('/LetterGothic', { Flags: 1 }), 'mono');
  });

  it('is not monospaced by one width of all the signs that its subset does not have', () => {
    const signs = (MissingWidth: number) =>
      loadFont(
        dict({
          BaseFont: '/ABCDEF+CMEX10',
          FirstChar: 104,
          Widths: [416, 416],
          Encoding: dict({ Differences: list(104, '/bracketleftbig', '/bracketrightbig') }),
          FontDescriptor: dict({ Flags: 4, MissingWidth }),
        }),
      );
    assert.equal(signs(500).mono, false);
  });

  it('is monospaced by the letters of ToUnicode if the codes are not letters', () => {
    const font = (w: number) =>
      loadFont(
        dict({
          Subtype: '/Type0',
          Encoding: '/Identity-H',
          ToUnicode: stream('1 beginbfrange <0001> <0009> <0061> endbfrange'),
          DescendantFonts: [dict({ DW: 600, W: [9, [w]] })],
        }),
      );
    assert.equal(font(600).mono, true);
    assert.equal(font(250).mono, false);
  });
});
