import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';

const text = readFileSync(join(packageRoot(), 'docs/security.md'), 'utf8');

describe('docs/security.md', () => {
  it('names an existing test for each promise', () => {
    const rows = text
      .split('\n')
      .filter((line) => /^\| (?!Threat)/.test(line))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    assert.ok(rows.length > 25);
    for (const [, threat = '', promise = '', , tests = ''] of rows) {
      const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      assert.equal(named.length > 0, promise !== '', `${threat}: a promise and its test`);
      for (const path of named) {
        assert.ok(existsSync(join(packageRoot(), path)), `${threat}: there is no ${path}`);
      }
    }
  });
});
