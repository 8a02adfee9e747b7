import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  contrast,
  hex,
  legible,
  luminance,
  mixed,
  parseRgb,
} from '../../src/chat/theme/contrast.js';

const color = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })));

describe('Colours taken from a page', () => {
  it('have the contrast ratio that WCAG defines', () => {
    assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
    assert.equal(contrast([255, 255, 255], [255, 255, 255]), 1);
    assert.equal(contrast([118, 118, 118], [255, 255, 255]).toFixed(2), '4.54');
    assert.equal(luminance([255, 0, 0]).toFixed(4), '0.2126');
  });

  it('become legible whatever they were', () => {
    fc.assert(
      fc.property(color, color, color, (background, text, accent) => {
        const made = legible(background, text, accent);
        const pairs = { text: made.text, accent: made.accent };
        for (const [what, on] of Object.entries(pairs)) {
          assert.ok(contrast(on, made.background) >= 4.5, `${what} ${hex(on)}`);
        }
        assert.ok(contrast(mixed(made.text, made.background, 0.7), made.background) >= 4.5);
        assert.ok(contrast(made.onAccent, made.accent) >= 4.5, hex(made.accent));
        assert.equal(luminance(made.background) < 0.5, made.dark);
      }),
      { numRuns: 5_000 },
    );
  });

  it('stay unchanged if they are legible', () => {
    assert.deepEqual(legible([255, 255, 255], [33, 37, 41], [13, 110, 253]), {
      dark: false,
      background: [255, 255, 255],
      text: [33, 37, 41],
      accent: [13, 110, 253],
      onAccent: [255, 255, 255],
    });
    const night = legible([33, 37, 41], [222, 226, 230], [110, 168, 254]);
    assert.ok(night.dark);
    assert.deepEqual(
      [night.background, night.accent],
      [
        [33, 37, 41],
        [110, 168, 254],
      ],
    );
  });

  it('are parsed from computed styles, unless they are transparent', () => {
    assert.deepEqual(parseRgb('rgb(1, 2, 255)'), [1, 2, 255]);
    assert.deepEqual(parseRgb('rgba(1, 2, 3, 0.95)'), [1, 2, 3]);
    assert.deepEqual(parseRgb('rgb(1 2 3 / 1)'), [1, 2, 3]);
    for (const css of ['rgba(0, 0, 0, 0)', 'rgba(1, 2, 3, 0.5)', 'oklch(0.7 0.1 200)', '', 'red']) {
      assert.equal(parseRgb(css), undefined, css);
    }
  });

  it('are written in CSS notation', () => {
    assert.equal(hex([0, 10, 255]), '#000aff');
  });
});
