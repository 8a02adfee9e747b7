import assert from 'node:assert/strict';
import { assembleSections } from '../../src/pdf/sections/assemble.js';
import type { Line } from '../../src/pdf/layout/page.js';
import { makePage } from './make-lines.js';

const full = 'This line of running text fills the whole width of its column in this book';
const prose = Array.from({ length: 6 }, () => full);

function contentOf(lines: readonly (string | Partial<Line>)[]): string {
  const limits = { sectionMaxChars: 4000, sectionMinChars: 0 };
  return assembleSections([makePage(1, [...prose, `${full}:`, ...lines])], [], '', limits)
    .map((section) => section.content)
    .join('\n\n');
}

/** The text of each fenced block. */
function listingsOf(lines: readonly (string | Partial<Line>)[]): string[] {
  return [...contentOf(lines).matchAll(/^```\n([^]*?)\n```$/gm)].map(([, text = '']) => text);
}

describe('Lines in proportional type', () => {
  it('are a listing with its indentation if they look like a program', () => {
    const found = listingsOf([
      'proc show {name} {',
      { text: 'set an [string range $name 1 end]', x: 60 },
      { text: 'puts $an', x: 60 },
      '}',
    ]);
    assert.deepEqual(found, [
      'proc show {name} {\n  set an [string range $name 1 end]\n  puts $an\n}',
    ]);
  });

  it('are a command to type if they are bold below a sentence that announces it, and no heading', () => {
    const lines = [
      { text: 'chmod a+x ~/start.sh', bold: true, y: 190 },
      { text: `${full} and then give this command:`, y: 220 },
      { text: 'ps ax | grep rig', bold: true, y: 240 },
      { text: `${full}.`, y: 270 },
    ];
    assert.deepEqual(listingsOf(lines), ['chmod a+x ~/start.sh', 'ps ax | grep rig']);
    assert.deepEqual(listingsOf([{ text: 'starting with a file', bold: true, y: 190 }, full]), []);
  });

  it('are a listing of a command and its answer if their size is not that of the text', () => {
    assert.deepEqual(
      listingsOf([
        { text: 'osm_sweep', size: 8 },
        { text: '=> 0', size: 8 },
      ]),
      ['osm_sweep\n=> 0'],
    );
  });

  it('end a listing before a sentence, and before a line that announces the next one', () => {
    const lines = ['#include <stdio.h>', 'int answer = 42;', 'For the other compiler:'];
    const found = listingsOf([...lines, '#include <conio.h>', 'int answer = 43;', `${full}.`]);
    assert.deepEqual(found, [
      '#include <stdio.h>\nint answer = 42;',
      '#include <conio.h>\nint answer = 43;',
    ]);
  });

  it('are a listing of a procedure and the types of its parameters', () => {
    const head = 'procedure Form.GetValue(const Name: String; var Value: Variant);';
    const body = ['begin', 'Value := Cells[1, Row];', 'end;'];
    assert.deepEqual(listingsOf([head, ...body]), [[head, ...body].join('\n')]);
  });

  it('are a listing if a prompt stands before a command, even if it is only one', () => {
    const lines = ['First, run', '$ > build names.txt', `${full}.`];
    assert.deepEqual(listingsOf(lines), ['$ > build names.txt']);
    assert.deepEqual(listingsOf(['It costs', '$ 5 for each', `${full}.`]), []);
  });

  const others: Record<string, (string | Partial<Line>)[]> = {
    'an address': ['Example Ltd.', '12 High Street', 'Tel: 030/123 45', 'info@firm.example'],
    verses: ['Roses are red,', 'violets are blue;', 'sugar is sweet,', 'and so are you.'],
    'items that end with semicolons': ['the name;', 'the address;', 'the number of the room.'],
    formulas: ['P(x) = Σ a + b;', 'f(x) = a + b (3)', 'g(x) = 2 · f(x) (4)'],
    'a sentence with functions': [
      'The device is opened by open_device(); if (this fails) then',
      'close_device(); and so on.',
    ],
    'one statement': ['int answer = 42;'],
    'a sentence with options': [
      'burn with -c or with -B writes',
      'burn without -c, -B and -U reads',
    ],
    'labels of a form': ['Name: ____', 'Date: ____', 'Room: ____'],
  };
  for (const [what, lines] of Object.entries(others)) {
    it(`are no listing: ${what}`, () => assert.deepEqual(listingsOf(lines), []));
  }
});
