import assert from 'node:assert/strict';
import { csvRow } from '../../../src/platform/text/csv.js';

describe('A CSV file', () => {
  const cell = (text: string) => csvRow([text]).replace(/\r\n$/, '');

  it('keeps texts and numbers unchanged', () => {
    assert.equal(csvRow(['Ada', -3, null, 'a - b', 'x@y.z']), 'Ada,-3,,a - b,x@y.z\r\n');
    assert.equal(cell('say "no"'), '"say ""no"""');
  });

  it('contains no formula at the beginning of a cell, even with full-width signs', () => {
    for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
      assert.equal(cell(`${sign}1`), `'${sign}1`);
    }
    for (const sign of ['\t', '\r', '\n']) assert.match(cell(`${sign}=1`), /^"?'[^]/);
  });

  it('contains no formula for spreadsheets with another separator than the comma', () => {
    // German and Spanish spreadsheets separate cells by semicolons, where a quote inside a cell has no effect.
    for (const text of ['a;=1', 'a;"=1', 'a\n=1', 'a\r\n=1', 'a\t=1', 'a,=1', 'a; =1', 'a|=1']) {
      assert.doesNotMatch(cell(text), /[;,\t\r\n|][\s"]*[=+\-@]/, JSON.stringify(text));
    }
  });
});
