import assert from 'node:assert/strict';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { configSchema } from '../../../src/platform/config/schema.js';
import { createSecretBox, type SecretBox } from '../../../src/platform/config/secret-box.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('The encryption of stored secrets', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let path: string;
  before(async () => {
    folder = await makeTemporaryFolder();
  });
  beforeEach(() => {
    warnings = [];
    path = join(folder.path, `${Math.random()}.sqlite`);
  });
  after(() => folder.remove());

  let warnings: string[];
  const box = (secrets_key: string | null = null, isInUse = false): SecretBox =>
    createSecretBox(configSchema.parse({ auth: { secrets_key }, database: { path } }), {
      isInUse: () => Promise.resolve(isInUse),
      log: { warn: (text: string) => void warnings.push(text) },
    });

  it('decrypts a text only for its purpose, and encrypts it differently each time', async () => {
    const one = box();
    const sealed = await one.seal('a secret, ä', 'user:1');
    assert.equal(await one.open(sealed, 'user:1'), 'a secret, ä');
    assert.equal(await one.open(sealed, 'user:2'), undefined);
    assert.notEqual(await one.seal('a secret, ä', 'user:1'), sealed);
    assert.ok(!Buffer.from(sealed, 'base64url').toString().includes('secret'));
  });

  it('refuses a text with any changed byte', async () => {
    const one = box();
    const bytes = Buffer.from(await one.seal('text', 'p'), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.equal(await one.open(changed.toString('base64url'), 'p'), undefined, `byte ${at}`);
    }
    assert.equal(await one.open('', 'p'), undefined);
  });

  it('keeps its key in a file that only the owner may read, and that all processes share', async () => {
    const boxes = Array.from({ length: 8 }, () => box());
    const sealed = await Promise.all(boxes.map((each) => each.seal('text', 'p')));
    for (const one of sealed) assert.equal(await box().open(one, 'p'), 'text');
    if (process.platform !== 'win32') assert.equal((await stat(`${path}.key`)).mode & 0o777, 0o600);
  });

  it('uses the key of the setting if there is one, and creates no file', async () => {
    const sealed = await box('k'.repeat(32)).seal('text', 'p');
    assert.equal(await box('k'.repeat(32)).open(sealed, 'p'), 'text');
    assert.equal(await box('l'.repeat(32)).open(sealed, 'p'), undefined);
    await assert.rejects(readFile(`${path}.key`), { code: 'ENOENT' });
  });

  it('creates no new key if the key of stored secrets was lost, or for decryption', async () => {
    await assert.rejects(box(null, true).seal('text', 'p'), { code: 'invalid_config' });
    const sealed = await box('k'.repeat(32)).seal('text', 'p');
    await assert.rejects(box().open(sealed, 'p'), { code: 'invalid_config' });
    await assert.rejects(readFile(`${path}.key`), { code: 'ENOENT' });
  });

  it('warns about a key that other users can read', async () => {
    await box().seal('text', 'p');
    assert.deepEqual(warnings, []);
    await chmod(`${path}.key`, 0o644);
    await box().seal('text', 'p');
    // Windows has no such permissions.
    assert.match(warnings.join(), process.platform === 'win32' ? /^$/ : /chmod 600 .*\.key/);
  });

  it('refuses a truncated key', async () => {
    await writeFile(`${path}.key`, 'short');
    await assert.rejects(box().seal('text', 'p'), { code: 'invalid_config' });
  });
});
