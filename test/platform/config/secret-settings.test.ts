import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify, parse } from 'yaml';
import { configSchema } from '../../../src/platform/config/schema.js';
import {
  holdsSecrets,
  mask,
  maskSecret,
  secretSettings,
  withoutSecrets,
} from '../../../src/platform/config/secret-settings.js';
import { packageRoot } from '../../../src/platform/package-root.js';

describe('The secrets of a configuration', () => {
  it('are all text settings whose name ends with password, secret, token or key', () => {
    const settings = Object.entries(configSchema.parse({})).flatMap(([group, keys]) =>
      Object.entries(keys).map(([key, value]) => [`${group}.${key}`, value] as const),
    );
    const named = settings.filter(
      ([path, value]) =>
        /(?:password|secret|token|key)$/.test(path) &&
        (value === null || typeof value === 'string'),
    );
    assert.deepEqual(named.map(([path]) => path).sort(), [...secretSettings].sort());
  });

  it('are absent from the example, which keeps its values when secrets are removed', () => {
    const example = readFileSync(join(packageRoot(), 'config.example.yaml'), 'utf8');
    assert.equal(holdsSecrets(example), false);
    const { text, leftOut } = withoutSecrets(example);
    assert.deepEqual(leftOut, []);
    assert.deepEqual(configSchema.parse(parse(text)), configSchema.parse(parse(example)));
  });

  it('are removed with their keys, and also from addresses with a name, password or key', () => {
    for (const [given, plain] of [
      ['http://ada:x@models.example:11434', 'http://models.example:11434'],
      ['ada:p@ss@models.example', 'models.example'],
      ['models.example:11434', 'models.example:11434'],
      ['http://models.example/?api_key=x', 'http://models.example/'],
    ] as const) {
      const { text } = withoutSecrets(stringify({ ollama: { url: given } }));
      assert.deepEqual(parse(text), { ollama: { url: plain } }, given);
    }
    const { text } = withoutSecrets('mail:\n  password: hunter2\nserver:\n');
    assert.deepEqual(parse(text), { mail: {}, server: null });
    assert.deepEqual(withoutSecrets('').leftOut, []);
  });

  it('are masked, and other settings are not', () => {
    assert.equal(maskSecret('mail.password', 'hunter2'), mask);
    assert.equal(maskSecret('mail.password', ''), '');
    assert.equal(maskSecret('metrics.token', null), null);
    assert.equal(maskSecret('mail.user', 'ada'), 'ada');
    const shown = maskSecret('ollama.url', 'http://ada:p@ss@models.example:1');
    assert.equal(shown, `http://${mask}@models.example:1`);
    assert.equal(maskSecret('ollama.url', 'http://m/?key=x'), `http://m/?${mask}`);
  });
});
