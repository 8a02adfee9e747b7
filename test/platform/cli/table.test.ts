import assert from 'node:assert/strict';
import stringWidth from 'string-width';
import { widthOf } from '../../../src/platform/cli/terminal.js';
import { table, type Column } from '../../../src/platform/cli/table.js';

type Row = Record<'id' | 'state' | 'count' | 'title', string>;

const columns: Column<Row>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'state', value: ({ state }) => state, spare: 1 },
  { title: 'count', value: ({ count }) => count, spare: 2 },
  { title: 'title', value: ({ title }) => title, flexible: true, cut: 'start' },
];
const rows: Row[] = [
  { id: 'aaaaaaaaaaaaaaaaaaaa', state: 'published', count: '12', title: 'Opening hours' },
  { id: 'b', state: 'draft', count: '7', title: '日本語のとても長い題名です、まだ続きます 🚀🚀🚀' },
  { id: 'c', state: 'draft', count: '0', title: 'red \u001b[31m\u0007\u202Etext\nof two lines' },
  { id: 'd', state: 'draft', count: '0', title: `${'x'.repeat(300)} the end` },
];

describe('A table', () => {
  const at = (width: number) => table(columns, rows, width).split('\n');

  it('is never wider than the terminal, for any content', () => {
    for (let width = 34; width < 130; width += 1) {
      for (const line of at(width)) assert.ok(stringWidth(line) <= width, `${width}: ${line}`);
    }
  });

  it('shortens long titles first, and then omits optional columns in order of their priority', () => {
    assert.match(at(80)[0] ?? '', /^id +state +count +title$/);
    assert.match(at(80)[4] ?? '', /^d +draft +0 +…x* the end$/);
    assert.match(at(48)[0] ?? '', /^id +state +title$/);
    assert.match(at(40)[0] ?? '', /^id +title$/);
    assert.match(at(40)[1] ?? '', /^a{20} {2}Opening hours$/);
  });

  it('shortens a sentence between words, and a long word anywhere', () => {
    const cut = (title: string, width: number) =>
      table<string>([{ title: 't', value: (text) => text, flexible: true }], [title], width)
        .split('\n')
        .at(-1);
    assert.equal(
      cut('How long a write waits for another process', 34),
      'How long a write waits for…',
    );
    assert.equal(cut('x'.repeat(40), 20), `${'x'.repeat(19)}…`);
  });

  it('becomes a complete block for each row if its columns do not fit', () => {
    const blocks = table(columns, rows, 30).split('\n\n');
    assert.equal(blocks.length, rows.length);
    assert.equal(
      blocks[0],
      'id     aaaaaaaaaaaaaaaaaaaa\nstate  published\ncount  12\ntitle  Opening hours',
    );
    assert.equal(table(columns, [], 30), 'id  title'.replace('  ', '  state  count  '));
  });

  it('has the width of the terminal, or 80 columns if the terminal does not report one', () => {
    assert.equal(widthOf({ isTTY: true, columns: 60 }), 60);
    assert.equal(widthOf({ isTTY: true, columns: 0 }), 80, 'as in a pseudo-terminal of a CI');
    assert.equal(widthOf({ isTTY: true }), 80);
    assert.equal(widthOf({}), undefined, 'a pipe');
  });

  it('replaces control characters by a visible sign', () => {
    const shown = table(columns, rows, 80);
    assert.doesNotMatch(shown, /[\u001b\u0007\u202E]/);
    assert.match(shown, /red \uFFFD\[31m\uFFFD\uFFFDtext of two lines/);
  });
});
