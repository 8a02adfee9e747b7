import assert from 'node:assert/strict';
import { layOutPage } from '../../src/pdf/layout/lay-out-page.js';
import { openPdf } from '../../src/pdf/reader/open-pdf.js';
import { rawPdf } from './raw-pdf.js';

/** The standard font has letters of different widths. */
const fonts = '/P << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const grey = '0.8 0.8 1 rg';

/** Lines from the top of the page, each with a box behind it, as word processors fill one for each paragraph. */
function drawShaded(lines: readonly string[], colour = grey): string {
  return lines
    .map((line, row) => {
      const y = 700 - 12 * row;
      const text = line.replace(/[()\\]/g, String.raw`\$&`);
      return `${colour} 50 ${y - 3} 480 12 re f 0 g BT /P 10 Tf 53 ${y} Td (${text}) Tj ET\n`;
    })
    .join('');
}

/** For each line, whether it is part of a listing. */
async function listed(content: string): Promise<boolean[]> {
  const text = await openPdf(rawPdf({ pages: [content], fonts })).readPage(1);
  const page = layOutPage(text.runs, { number: 1, width: text.width, height: text.height }, text);
  return page.lines.map((line) => line.mono);
}

describe('Lines in proportional type on a shaded ground', () => {
  const listings: Record<string, string[]> = {
    'commands with their output': [
      '$ sqlite3 /var/tmp/sensors.db',
      'SQLite version 3.2.2',
      'Enter .help for instructions',
    ],
    'a statement with short lines': [
      'CREATE TABLE sensors',
      '(',
      'device text,',
      'type text',
      ');',
    ],
    'one command': ['sudo make install-strip STRIP_LIBS=yes prefix=/usr'],
    'records in columns': ['10EF16 18S20:thermometer -> air', '1DA273 2423:4k ram -> wind speed'],
  };
  for (const [what, lines] of Object.entries(listings)) {
    it(`are a listing: ${what}`, async () => {
      assert.deepEqual(
        await listed(drawShaded(lines)),
        lines.map(() => true),
      );
    });
  }

  const others: Record<string, string[]> = {
    'a note': [
      'Note: the option --force removes every file in the folder, so that you should make a backup',
      'before you use it. The files cannot be restored.',
    ],
    'a warning of one line': ['Warning: never run the program as root on a machine of others.'],
    'a menu': ['About', 'Installation', 'Configuration'],
    'a full line without signs': ['The name of the database is followed by the name of the user'],
  };
  for (const [what, lines] of Object.entries(others)) {
    it(`stay prose: ${what}`, async () => {
      assert.deepEqual(
        await listed(drawShaded(lines)),
        lines.map(() => false),
      );
    });
  }

  it('are no listing where the ground is white', async () => {
    assert.deepEqual(await listed(drawShaded(['$ make install'], '1 g')), [false]);
  });

  it('are no listing where the box is as narrow as a cell or a word', async () => {
    const cell = `${grey} 50 697 90 12 re f 0 g BT /P 10 Tf 53 700 Td (a_b = 1) Tj ET\n`;
    assert.deepEqual(await listed(cell), [false]);
  });
});
