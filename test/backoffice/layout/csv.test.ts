import assert from 'node:assert/strict';
import { csvRow } from '../../../src/platform/text/csv.js';

describe('A file for spreadsheets', () => {
  const cell = (text: string) => csvRow([text]).replace(/\r\n$/, '');

  it('keeps texts and numbers as they are', () => {
    assert.equal(csvRow(['Ada', -3, null, 'a - b', 'x@y.z']), 'Ada,-3,,a - b,x@y.z\r\n');
    assert.equal(cell('say "no"'), '"say ""no"""');
  });

  it('runs no formula at the beginning of a cell, in wide signs either', () => {
    for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
      assert.equal(cell(`${sign}1`), `'${sign}1`);
    }
    for (const sign of ['\t', '\r', '\n']) assert.match(cell(`${sign}=1`), /^"?'[^]/);
  });

  it('runs no formula where a spreadsheet separates cells by another sign than the comma', () => {
    // German and Spanish ones open the file with semicolons: a quote that stands within a cell means nothing there.
    for (const text of ['a;=1', 'a;"=1', 'a\n=1', 'a\r\n=1', 'a\t=1', 'a,=1', 'a; =1', 'a|=1']) {
      assert.doesNotMatch(cell(text), /[;,\t\r\n|][\s"]*[=+\-@]/, JSON.stringify(text));
    }
  });
});
