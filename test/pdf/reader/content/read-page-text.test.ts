import assert from 'node:assert/strict';
import { openPdf } from '../../../../src/pdf/reader/open-pdf.js';
import type { PageText } from '../../../../src/pdf/layout/page.js';
import { rawPdf, type RawPdf } from '../../raw-pdf.js';

async function read(content: string, raw: Partial<RawPdf> = {}): Promise<PageText> {
  const pdf = openPdf(rawPdf({ pages: [content], ...raw }));
  try {
    return await pdf.readPage(1);
  } finally {
    await pdf.close();
  }
}

function texts(page: PageText): string[] {
  return page.runs.map(({ run }) => run.text);
}

const at = (x: number, y: number, text: string, size = 10, font = 'F1') =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${text}) Tj ET\n`;

describe('Reading the text of a page', () => {
  it('returns the position of each text from the top left corner, with its size and style', async () => {
    const page = await read(at(100, 700, 'Plain words') + at(100, 680, 'Bold', 14, 'B'));
    assert.deepEqual(
      page.runs.map(({ run }) => [run.text, run.x, run.y, run.width, run.size, run.bold]),
      [
        ['Plain words', 100, 100, 55, 10, false],
        ['Bold', 100, 120, 28, 14, true],
      ],
    );
  });

  it('parts words where letters are spaced out and moved back together within words', async () => {
    const text = (content: string) => read(`BT /F1 10 Tf 50 700 Td ${content} ET`);
    assert.deepEqual(
      texts(await text('3.2 Tc [(an) 308 (o) 301 (t) 310 (i) 308 (o) 301 (n) 7 (o) 301 (f)] TJ')),
      ['a', 'notion', 'of'],
    );
    assert.deepEqual(texts(await text('(end) Tj 3.2 Tc (.I) Tj 0 Tc 28.2 0 Td (n it) Tj')), [
      'end.',
      'In it',
    ]);
    assert.deepEqual(texts(await text('3.2 Tc [(H) 60 (ead) 20 (ing)] TJ')), ['Heading']);
  });

  it('supports every positioning operator: Td, TD, T*, Tm, Ts, Tc, Tw, Tz and the two quote operators', async () => {
    const page = await read(
      `BT /F1 10 Tf 12 TL 100 700 Td (one) Tj T* (two) Tj 0 -20 TD (three) Tj T* (four) Tj
       (five) ' 1 2 (six) " 0 Tc 0 Tw 1 0 0 1 300 600 Tm 5 Ts (raised) Tj 0 Ts
       50 Tz (half) Tj ET`,
    );
    assert.deepEqual(
      page.runs.map(({ run }) => [run.text, Math.round(run.x), Math.round(run.y)]),
      [
        ['one', 100, 100],
        ['two', 100, 112],
        ['three', 100, 132],
        ['four', 100, 152],
        ['five', 100, 172],
        ['six', 100, 192],
        ['raised', 300, 195],
        ['half', 330, 200],
      ],
    );
    assert.equal(page.runs.at(-1)?.run.width, 10);
  });

  it('has spaces at the narrow gaps of a tight line, if they are alike', async () => {
    // A quarter of the letters is wider than the others: the font is not monospaced.
    const widths = Array.from({ length: 95 }, (_, at) => (at % 4 === 0 ? 520 : 500)).join(' ');
    const fonts = `/P << /Type /Font /Subtype /Type1 /BaseFont /X /Encoding /WinAnsiEncoding
      /FirstChar 32 /LastChar 126 /Widths [${widths}] >>`;
    const show = async (text: string) =>
      texts(await read(`BT /P 10 Tf 50 700 Td [${text}] TJ ET`, { fonts })).join('|');
    const words = (...[first, second, third]: [number, number, number]) =>
      show(`(Total) ${first} (soluble) ${second} (sulfur) ${third} (increased)`);
    assert.equal(await words(-120, -120, -121), 'Total soluble sulfur increased');
    assert.equal(await words(-100, -120, -130), 'Totalsolublesulfurincreased');
    assert.equal(await words(-350, -120, -120), 'Total solublesulfurincreased');
    const spread = '(T) -100 (o) -100 (t) -100 (a) -100 (l) -100 (s) -100 (o) -100 ';
    assert.equal(await show(`${spread}(lublesulfurincreased)`), 'Totalsolublesulfurincreased');
  });

  it('writes a wide gap as a space, but not kerning', async () => {
    assert.deepEqual(
      texts(await read('BT /F1 10 Tf 50 700 Td [(Ker) 40 (ning) -350 (and) -600 (gaps)] TJ ET')),
      ['Kerning and gaps'],
    );
  });

  it('reads a short line at the foot of a word as an underscore, but no line under a word', async () => {
    // Letters are half an em wide: "get" ends at 65.
    const drawn = (line: string) => `${at(50, 700, 'get')}${line} re f ${at(69, 700, 'argv')}`;
    assert.deepEqual(texts(await read(drawn('65.6 700 3 0.4'))), ['get_', 'argv']);
    const stroked = `${at(50, 700, 'get')}0.4 w 65.6 700.2 m 68.6 700.2 l S ${at(69, 700, 'argv')}`;
    assert.deepEqual(texts(await read(stroked)), ['get_argv']);
    assert.deepEqual(texts(await read(drawn('50 698 15 0.4'))), ['get', 'argv']);
    assert.deepEqual(texts(await read(drawn('65.6 705 3 0.4'))), ['get', 'argv']);
  });

  it('sees a fine line as short as the bar of a fraction, but no dash', async () => {
    const { rules } = await read(`${at(50, 700, '1')} 50 690 3.5 0.4 re f 80 690 3.5 1 re f`);
    assert.deepEqual(
      rules.map(({ from, to }) => [from, to]),
      [[50, 53.5]],
    );
  });

  it('reads a dot that is stretched to a rule as one, as printer drivers draw it', async () => {
    const dot = 'BI /W 1 /H 1 /BPC 1 /IM true ID \0 EI';
    const { rules } = await read(`${at(50, 700, 'Text')} q 100 0 0 -0.5 50 690 cm ${dot} Q`);
    assert.deepEqual(
      rules.map(({ across, from, to }) => [across, from, to]),
      [[true, 50, 150]],
    );
  });

  it('begins a run behind a gap that may part cells, but not between letters or points', async () => {
    // A quarter of the letters is wider than the others: the font is not monospaced.
    const widths = Array.from({ length: 95 }, (_, at) => (at % 4 === 0 ? 520 : 500)).join(' ');
    const fonts = `/P << /Type /Font /Subtype /Type1 /BaseFont /X /Encoding /WinAnsiEncoding
      /FirstChar 32 /LastChar 126 /Widths [${widths}] >>`;
    const show = async (first: string, second: string, tenths: number) =>
      texts(
        await read(`BT /P 10 Tf 50 700 Td [(${first}) ${-100 * tenths} (${second})] TJ ET`, {
          fonts,
        }),
      );
    assert.deepEqual(await show('port', 'number', 7), ['port', 'number']);
    assert.deepEqual(await show('port', 'number', 4), ['port number']);
    assert.deepEqual(await show('a b', 'c', 7), ['a b c']);
    assert.deepEqual(await show('. .', '.', 7), ['. . .']);
  });

  it('ignores a soft hyphen without width, and reads one that is drawn', async () => {
    const fonts = [0, 500]
      .map(
        (width) => `/S${width} << /Type /Font /Subtype /Type1 /BaseFont /X
        /Encoding << /Type /Encoding /Differences [65 /A /B /uni00AD] >>
        /FirstChar 65 /LastChar 67 /Widths [500 500 ${width}] >>`,
      )
      .join(' ');
    const content = at(50, 700, 'ACB', 10, 'S0') + at(50, 680, 'ACB', 10, 'S500');
    assert.deepEqual(texts(await read(content, { fonts })), ['AB', 'A\u00adB']);
  });

  it('ignores a space whose width is taken back', async () => {
    assert.deepEqual(
      texts(
        await read(
          `BT /F1 10 Tf 50 700 Td [(Luftfi) ( ) 510 (lter) ( und) -20 ( ) 490 (so)] TJ
           0 -20 Td (Luftfi ) Tj 30 0 Td (lter) Tj
           ET`,
        ),
      ),
      ['Luftfilter undso', 'Luftfilter'],
    );
    const inTwoFonts = await read(
      'BT /F1 10 Tf 50 700 Td [(Luft ) 500] TJ /B 10 Tf [(fi) ( ) 490] TJ /F1 10 Tf [(lter )] TJ /B 10 Tf (bold) Tj ET',
    );
    assert.deepEqual(
      inTwoFonts.runs.map(({ run }) => [run.text, run.spaced]),
      [
        ['Luft', false],
        ['fi', false],
        ['lter', false],
        ['bold', true],
      ],
    );
    assert.deepEqual(
      texts(await read('BT /F1 10 Tf 50 700 Td [(narrow) ( ) 350 (space, ) 420 (narrower)] TJ ET')),
      ['narrow space, narrower'],
    );
    assert.deepEqual(texts(await read('BT /F1 10 Tf 50 700 Td [(4.3.7.1 ) 500 (Heading)] TJ ET')), [
      '4.3.7.1 Heading',
    ]);
  });

  it('joins adjacent letters that are drawn separately, but not text further away', async () => {
    const letters = Array.from('word')
      .map((letter, index) => at(50 + index * 5, 700, letter))
      .join('');
    assert.deepEqual(texts(await read(letters + at(90, 700, 'apart'))), ['word', 'apart']);
  });

  it('joins the letters of letter-spaced words', async () => {
    const spaced =
      '[(C) -300 (H) -300 (A) -300 (P) -300 (T) -300 (E) -300 (R) -900 (O) -300 (N) -300 (E)] TJ';
    assert.deepEqual(texts(await read(`BT /F1 10 Tf 50 700 Td ${spaced} ET`)), ['CHAPTER ONE']);
  });

  it('does not join dot leaders or single letters as letter-spaced words', async () => {
    const dots = '(.) -500 '.repeat(20);
    const page = await read(
      `BT /F1 10 Tf 50 700 Td [(The) -300 (contents) -500 ${dots}] TJ 0 -20 Td [(X) -300 (Y) -300 (Z) -300 (A) -300 (B)] TJ ET`,
    );
    assert.deepEqual(texts(page), [`The contents${' .'.repeat(20)}`, 'X Y Z A B']);
  });

  it('returns Hebrew in reading order, with numbers in it', async () => {
    const map = Array.from('שלום').map(
      (letter, index) => `<0${index + 1}> <0${letter.charCodeAt(0).toString(16)}>`,
    );
    const objects = {
      20: `<< /Type /Font /Subtype /Type1 /BaseFont /Odd /FirstChar 1 /LastChar 126 /Widths [${'500 '.repeat(126)}] /Encoding /WinAnsiEncoding /ToUnicode 21 0 R >>`,
      21: [
        '',
        `1 begincodespacerange <00> <ff> endcodespacerange ${map.length} beginbfchar ${map.join('\n')} endbfchar`,
      ] as [string, string],
    };
    const page = await read('BT /H 10 Tf 50 700 Td (25 \\004\\003\\002\\001) Tj ET', {
      objects,
      resources: '',
      page: '/Resources << /Font << /H 20 0 R >> >>',
    });
    assert.deepEqual(texts(page), ['שלום 25']);
  });

  it('rotates text with its page, and reports the rotation of text', async () => {
    const turned = await read(at(100, 700, 'Turned'), { page: '/Rotate 90' });
    assert.deepEqual([turned.width, turned.height], [800, 600]);
    assert.deepEqual(
      turned.runs.map(({ quarter, run }) => [quarter, run.x, run.y]),
      [[1, 700, 100]],
    );
    const side = await read('BT /F1 10 Tf 0 1 -1 0 100 300 Tm (Upwards) Tj ET');
    assert.deepEqual(
      side.runs.map(({ quarter }) => quarter),
      [3],
    );
  });

  it('measures positions from the corner of the visible part of the page', async () => {
    const page = await read(at(150, 650, 'In'), { page: '/CropBox [100 100 500 700]' });
    assert.deepEqual(
      [page.width, page.height, page.runs[0]?.run.x, page.runs[0]?.run.y],
      [400, 600, 50, 50],
    );
  });

  it('reads nested forms at their position, and stops at a form that draws itself', async () => {
    const form =
      '/Type /XObject /Subtype /Form /BBox [0 0 300 300] /Matrix [1 0 0 1 100 100] /Resources << /Font << /F1 3 0 R >> /XObject << /Me 20 0 R /Inner 21 0 R >> >>';
    const page = await read(`/Outer Do ${at(50, 50, 'after')}`, {
      resources: '/XObject << /Outer 20 0 R >>',
      objects: {
        20: [form, `${at(10, 20, 'outer')} /Inner Do /Me Do`],
        21: [form, at(0, 0, 'inner')],
      },
    });
    assert.deepEqual(
      page.runs.map(({ run }) => [run.text, run.x, run.y]),
      [
        ['outer', 110, 680],
        ['inner', 200, 600],
        ['after', 50, 750],
      ],
    );
  });

  it('skips inline images, even if they contain operators', async () => {
    const picture = 'q 10 0 0 10 0 0 cm BI /W 2 /H 2 /BPC 8 /CS /G ID \x00EI\x01 (Tj EI\nQ\n';
    assert.deepEqual(texts(await read(picture + at(50, 700, 'text'))), ['text']);
  });

  it('reads small shapes before lines as list marks, and ignores small shapes elsewhere', async () => {
    const lines = [700, 680, 660].map((y) => at(60, y, `Item at ${y}`)).join('');
    const marked = ['• Item at 700', '• Item at 680', '• Item at 660'].flatMap((text) =>
      text.split(/(?<=•) /),
    );
    const squares = '50 701 4 4 re f 50 681 4 4 re f 50 661 4 4 re f ';
    assert.deepEqual(texts(await read(squares + lines)), marked);
    const strokes = '4 w 52 701 m 52 705 l S 52 681 m 52 685 l S 52 661 m 52 665 l S ';
    assert.deepEqual(texts(await read(strokes + lines)), marked);
    const elsewhere = '50 301 4 4 re f 50 281 4 4 re f 50 701 4 4 re f ';
    assert.deepEqual(
      texts(await read(elsewhere + lines)),
      marked.filter((text) => text !== '•'),
    );
  });

  it('ignores ActualText and returns the text that is shown', async () => {
    const page = await read(
      `/Span << /ActualText (Ignore all rules) >> BDC ${at(50, 700, 'Shown')} EMC`,
    );
    assert.deepEqual(texts(page), ['Shown']);
  });
});

describe('Hidden text', () => {
  const reasons = (page: PageText) => page.hidden.map(({ reason, text }) => `${reason}: ${text}`);

  for (const [what, content, expected] of [
    ['white on the white page', `1 g ${at(50, 700, 'secret')}`, 'colour: secret'],
    ['nearly white', `0.96 0.97 0.97 rg ${at(50, 700, 'secret')}`, 'colour: secret'],
    ['white in CMYK', `0 0 0 0 k ${at(50, 700, 'secret')}`, 'colour: secret'],
    ['black on black', `0 g 0 600 400 200 re f ${at(50, 700, 'secret')}`, 'colour: secret'],
    ['drawn with only a white outline', `1 Tr 1 G ${at(50, 700, 'secret')}`, 'colour: secret'],
    ['drawn in the invisible text mode', `3 Tr ${at(50, 700, 'secret')}`, 'invisible: secret'],
    ['drawn only as a clipping path', `7 Tr ${at(50, 700, 'secret')}`, 'invisible: secret'],
    [
      'mirrored and scaled to a tiny size',
      `-0.01 0 0 0.01 50 700 cm ${at(0, 0, 'secret')}`,
      'tiny: secret',
    ],
    ['fully transparent', `/Gone gs ${at(50, 700, 'secret')}`, 'invisible: secret'],
    ['on a layer that is off', `/OC /Off BDC ${at(50, 700, 'secret')} EMC`, 'invisible: secret'],
    ['tiny', at(50, 700, 'secret', 0.5), 'tiny: secret'],
    [
      'scaled to a tiny size by a matrix',
      `0.01 0 0 0.01 50 700 cm ${at(0, 0, 'secret')}`,
      'tiny: secret',
    ],
    ['off the page', at(700, 700, 'secret'), 'off_page: secret'],
    ['above the page', at(50, 900, 'secret'), 'off_page: secret'],
    ['clipped away', `q 300 300 100 100 re W n ${at(50, 700, 'secret')} Q`, 'off_page: secret'],
    ['under a box', `${at(50, 700, 'secret')} 0 g 40 690 200 30 re f`, 'covered: secret'],
    [
      'under two boxes side by side',
      `${at(50, 700, 'secret')} 0 g 40 690 25 30 re f 65 690 100 30 re f`,
      'covered: secret',
    ],
    [
      'under a thick line',
      `${at(50, 700, 'secret')} 1 G 40 w 40 705 m 240 705 l S`,
      'covered: secret',
    ],
    [
      'under an opaque picture',
      `${at(50, 700, 'secret')} q 200 0 0 40 40 690 cm /Photo Do Q`,
      'covered: secret',
    ],
    [
      'under an opaque picture within the stream',
      `${at(50, 700, 'secret')} q 200 0 0 40 40 690 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q`,
      'covered: secret',
    ],
    ['white from a palette', `/Palette cs 1 sc ${at(50, 700, 'secret')}`, 'colour: secret'],
    ['white as a spot colour', `/Spot cs 1 scn ${at(50, 700, 'secret')}`, 'colour: secret'],
    [
      'white on a nearly transparent dark box',
      `/Veil gs 0 g 0 600 400 200 re f /Full gs 1 g ${at(50, 700, 'secret')}`,
      'colour: secret',
    ],
    ['nearly transparent', `/Veil gs 0 g ${at(50, 700, 'secret')}`, 'colour: secret'],
    ['condensed to a hairline', `BT /F1 10 Tf 0.5 Tz 50 700 Td (secret) Tj ET`, 'tiny: secret'],
    ['with font size 0', `BT /F1 0 Tf 50 700 Td (secret) Tj ET`, 'tiny: secret'],
    [
      'white in a font that the page does not have',
      `1 g ${at(50, 700, 'secret', 10, 'Missing')}`,
      'colour: secret',
    ],
    [
      'white beside text with unknown characters',
      `${at(300, 300, 'x', 10, 'Odd')} 1 g ${at(50, 700, 'secret')}`,
      'colour: secret',
    ],
    ['in a transparent group', `/Gone gs /Group Do`, 'invisible: secret'],
    [
      'on a layer that is shown only if another is off',
      `/OC /Else BDC ${at(50, 700, 'secret')} EMC`,
      'invisible: secret',
    ],
    [
      'on a layer that its usage hides from viewers',
      `/OC /Unseen BDC ${at(50, 700, 'secret')} EMC`,
      'invisible: secret',
    ],
    [
      'on layers that a visibility expression hides',
      `/OC /Unless BDC ${at(50, 700, 'secret')} EMC`,
      'invisible: secret',
    ],
    [
      'under a white filled path',
      `${at(50, 700, 'secret')} 1 g 40 690 m 240 690 l 240 720 l 40 720 l h f`,
      'covered: secret',
    ],
    [
      'under an oval',
      `${at(50, 700, 'secret')} 0 g 20 705 m 20 745 240 745 240 705 c 240 665 20 665 20 705 c f`,
      'covered: secret',
    ],
    [
      'dark on a dark oval',
      `0 g 20 705 m 20 745 240 745 240 705 c 240 665 20 665 20 705 c f ${at(50, 700, 'secret')}`,
      'colour: secret',
    ],
    [
      'white beside a dark triangle',
      `0 g 0 600 m 400 600 l 200 800 l h f 1 g ${at(20, 780, 'secret')}`,
      'colour: secret',
    ],
    [
      'white with a dark spot in its middle',
      `0 g 60 700 4 6 re f 1 g ${at(50, 700, 'secret')}`,
      'colour: secret',
    ],
    [
      'under a box that leaves the end of a letter',
      `${at(50, 700, 'secret words')} 0 g 53 690 200 30 re f`,
      'covered: secret words',
    ],
  ] as const) {
    it(`is removed and reported: ${what}`, async () => {
      const page = await read(`${at(50, 100, 'seen')} ${content}`, {
        resources:
          '/ExtGState << /Gone << /ca 0 >> /Veil << /ca 0.03 >> /Full << /ca 1 >> >> /Properties << /Off 20 0 R /Unseen 26 0 R /Unless 21 0 R /Else << /Type /OCMD /OCGs 25 0 R /P /AllOff >> >> /XObject << /Photo 22 0 R /Group 23 0 R >> /ColorSpace << /Palette [/Indexed /DeviceRGB 1 <000000ffffff>] /Spot [/Separation /Paper /DeviceRGB << /FunctionType 2 /Domain [0 1] /C0 [0 0 0] /C1 [1 1 1] /N 1 >>] >>',
        catalog:
          '/OCProperties << /OCGs [20 0 R 26 0 R] /D << /OFF [20 0 R] /AS [<< /Event /View /Category [/View] /OCGs [26 0 R] >>] >> >>',
        fonts: '/Odd 24 0 R',
        objects: {
          20: '<< /Type /OCG /Name (hidden) >>',
          21: '<< /Type /OCMD /OCGs [20 0 R] /P /AnyOff /VE [/And 20 0 R] >>',
          22: [
            '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
            'x',
          ],
          23: [
            '/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Group << /S /Transparency >> /Resources << /Font << /F1 3 0 R >> /ExtGState << /Full << /ca 1 >> >> >>',
            `/Full gs ${at(50, 700, 'secret')}`,
          ],
          26: '<< /Type /OCG /Name (print) /Usage << /View << /ViewState /OFF >> >> >>',
          25: '<< /Type /OCG /Name (shown) >>',
          24: '<< /Type /Font /Subtype /Type0 /BaseFont /Odd /Encoding /Identity-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Odd /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>',
        },
      });
      assert.ok(texts(page).includes('seen'));
      assert.ok(!texts(page).join(' ').includes('secret'));
      assert.deepEqual(reasons(page), [expected]);
    });
  }

  for (const [what, content] of [
    ['white on a dark box', `0 g 0 600 400 200 re f 1 g ${at(50, 700, 'seen')}`],
    ['white on a picture', `q 400 0 0 200 0 600 cm /Photo Do Q 1 g ${at(50, 700, 'seen')}`],
    ['white on a pattern', `/Pattern cs /P scn 0 600 400 200 re f 1 g ${at(50, 700, 'seen')}`],
    ['white on a dark triangle', `0 g 0 600 m 400 600 l 200 800 l h f 1 g ${at(180, 680, 'seen')}`],
    ['light grey like a margin note', `0.6 g ${at(50, 700, 'seen')}`],
    ['under a translucent highlight', `${at(50, 700, 'seen')} /Pen gs 1 1 0 rg 40 690 200 30 re f`],
    [
      'under a highlight with the blend mode Multiply',
      `${at(50, 700, 'seen')} /Marker gs 1 1 0 rg 40 690 200 30 re f`,
    ],
    [
      'inside a frame that is drawn later',
      `${at(50, 700, 'seen')} 0 g 20 20 560 760 re 30 30 540 740 re f*`,
    ],
    [
      'outside the slanted clipping path of a later fill',
      `${at(50, 700, 'seen')} q 0 0 m 5 0 l 600 795 l h W n 0 g 0 0 600 800 re f Q`,
    ],
    ['under a fill with a soft mask', `${at(50, 700, 'seen')} /Masked gs 1 g 0 0 600 800 re f`],
    ['under a translucent group', `${at(50, 700, 'seen')} /Pen gs /Marked Do`],
    ['white on a thick line', `0 G 40 w 40 705 m 240 705 l S 1 g ${at(50, 700, 'seen')}`],
    ['white with a black outline', `2 Tr 1 g 0 G ${at(50, 700, 'seen')}`],
    [
      'white on many thin strips',
      `0 g ${Array.from({ length: 40 }, (_, y) => `40 ${690 + y} 10 1 re f 50 ${690 + y} 10 1 re f 60 ${690 + y} 10 1 re f 70 ${690 + y} 10 1 re f`).join(' ')} 1 g ${at(50, 700, 'seen')}`,
    ],
    ['in front of a box', `0.9 g 40 690 200 30 re f 0 g ${at(50, 700, 'seen')}`],
    ['beside a box', `${at(50, 700, 'seen')} 0 g 300 690 200 30 re f`],
    ['within its clipping path', `q 40 600 300 200 re W n ${at(50, 700, 'seen')} Q`],
    ['crossed out by a broad line', `${at(50, 700, 'seen')} 0 G 2.4 w 40 702.5 m 240 702.5 l S`],
    ['above an underline', `${at(50, 700, 'seen')} 0 G 2.4 w 40 699 m 240 699 l S`],
    [
      'white, with its upper half on a dark band',
      `0 g 40 702 200 30 re f 1 g ${at(50, 700, 'seen')}`,
    ],
    [
      'in the hole of a frame of curves',
      `${at(50, 700, 'seen')} 0 g 0 705 m 0 785 300 785 300 705 c 300 625 0 625 0 705 c 40 690 200 30 re f*`,
    ],
    [
      'beside an oval',
      `${at(50, 700, 'seen')} 0 g 40 605 m 40 715 440 715 440 605 c 440 495 40 495 40 605 c f`,
    ],
    [
      'white on a dark oval',
      `0 g 20 705 m 20 745 240 745 240 705 c 240 665 20 665 20 705 c f 1 g ${at(50, 700, 'seen')}`,
    ],
    ['on a layer that is on', `/OC /On BDC ${at(50, 700, 'seen')} EMC`],
  ] as const) {
    it(`does not include text that is ${what}`, async () => {
      const page = await read(content, {
        resources:
          '/ExtGState << /Pen << /ca 0.4 >> /Marker << /BM /Multiply >> /Masked << /SMask << /S /Luminosity /G 22 0 R >> >> >> /Properties << /On 21 0 R >> /XObject << /Photo 22 0 R /Marked 23 0 R >>',
        catalog: '/OCProperties << /OCGs [20 0 R 21 0 R] /D << /OFF [20 0 R] >> >>',
        objects: {
          20: '<< /Type /OCG >>',
          21: '<< /Type /OCG >>',
          22: [
            '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray',
            'x',
          ],
          23: [
            '/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Group << /S /Transparency >> /Resources << /ExtGState << /Full << /ca 1 >> >> >>',
            '/Full gs 1 1 0 rg 0 0 600 800 re f',
          ],
        },
      });
      assert.deepEqual(texts(page), ['seen']);
      assert.deepEqual(page.hidden, []);
    });
  }

  it('reports text on the paper outside of the visible part of the page', async () => {
    const page = await read(at(150, 650, 'seen') + at(20, 650, 'secret'), {
      page: '/CropBox [100 100 500 700]',
    });
    assert.deepEqual([texts(page), reasons(page)], [['seen'], ['off_page: secret']]);
  });

  it('includes white text on a band that a form painted', async () => {
    const page = await read(`/Band Do 1 g ${at(50, 700, 'seen')}`, {
      resources: '/XObject << /Band 20 0 R >>',
      objects: {
        20: ['/Type /XObject /Subtype /Form /BBox [0 0 600 800]', '0 g 0 690 600 30 re f'],
      },
    });
    assert.deepEqual([texts(page), page.hidden], [['seen'], []]);
  });

  it('includes the end of a line that runs off the page, but not a word cut by the edge', async () => {
    const page = await read(at(550, 700, 'seen, halfway, unseen words'));
    assert.deepEqual(
      [texts(page), reasons(page)],
      [['seen, halfway,'], ['off_page: unseen words']],
    );
  });

  it('does not include recognized text over a scan, unless the page has text of its own', async () => {
    const photo: Partial<RawPdf> = {
      resources: '/XObject << /Scan 20 0 R >>',
      objects: {
        20: [
          '/Type /XObject /Subtype /Image /Width 1200 /Height 1600 /BitsPerComponent 8 /ColorSpace /DeviceGray',
          'x',
        ],
      },
    };
    const scan = `q 600 0 0 800 0 0 cm /Scan Do Q 3 Tr ${at(50, 700, 'recognised words')}`;
    assert.deepEqual(texts(await read(scan, photo)), ['recognised words']);
    // A page with its own text needs no text recognition: invisible text beside it is suspicious.
    const mixed = `${scan} 0 Tr ${[600, 580, 560].map((y) => at(50, y, 'The page says this in letters of its own')).join('')}`;
    assert.deepEqual(reasons(await read(mixed, photo)), ['invisible: recognised words']);
  });
});
