import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { blankComments } from '../../../src/platform/config/blank-comments.js';
import { packageRoot } from '../../../src/platform/package-root.js';

describe('The comments of a configuration', () => {
  it('are not parsed, which changes nothing that it says, nor where', () => {
    const example = readFileSync(join(packageRoot(), 'config.example.yaml'), 'utf8');
    const blank = blankComments(example);
    assert.doesNotMatch(blank, /^\s*#/m);
    assert.deepEqual(parse(blank), parse(example));
    assert.equal(blank.split('\n').length, example.split('\n').length);
    const quoted = `a: "x # y" # the owner's\n# "open\nb: 'c'\n`;
    assert.deepEqual(parse(blankComments(quoted)), { a: 'x # y', b: 'c' });
  });

  it('are left where what looks like one may be part of a text', () => {
    for (const text of [
      'a: |\n  one\n  # two\n',
      'a: >-\n  one\n  # two\n',
      'a: "one\n  # two"\n',
      "a: 'one\n  # two'\n",
      'a: "it\'s\n  # two"\n',
      'a: "b" "\n# c"\n',
    ]) {
      assert.equal(blankComments(text), text);
    }
  });
});
