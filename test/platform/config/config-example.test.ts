import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { configSchema } from '../../../src/platform/config/schema.js';
import { packageRoot } from '../../../src/platform/package-root.js';

describe('config.example.yaml', () => {
  const text = readFileSync(join(packageRoot(), 'config.example.yaml'), 'utf8');

  it('contains every setting with its default, and nothing else', () => {
    assert.deepEqual(parse(text), configSchema.parse({}));
  });

  it('explains each setting in a comment above it', () => {
    const lines = text.split('\n');
    const settings = lines.flatMap((line, index) => (/^ {2}\w+:/.test(line) ? [index] : []));
    const expected = Object.values(configSchema.parse({})).flatMap((group) => Object.keys(group));
    assert.deepEqual(
      settings.map((index) => lines[index]?.trim().split(':')[0]),
      expected,
    );
    const bare = settings.filter((index) => !/^ {2}# \S.{15,}/.test(lines[index - 1] ?? ''));
    assert.deepEqual(
      bare.map((index) => lines[index]),
      [],
    );
  });
});
