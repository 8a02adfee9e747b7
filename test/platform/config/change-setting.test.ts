import assert from 'node:assert/strict';
import {
  chmod,
  lstat,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { changeSetting } from '../../../src/platform/config/change-setting.js';
import { packageRoot } from '../../../src/platform/package-root.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('Changing a setting in a file', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let file: string;
  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    file = join(folder.path, 'config.yaml');
  });
  afterEach(() => folder.remove());

  /** The text of the file after a change of `before`. */
  const after = async (before: string, path: string, value: string) => {
    await writeFile(file, before);
    await changeSetting(file, path, value);
    return readFile(file, 'utf8');
  };

  it('changes one line of the example and no other line', async () => {
    const example = await readFile(join(packageRoot(), 'config.example.yaml'), 'utf8');
    for (const [path, value, line] of [
      ['server.port', '9000', '  port: 9000'],
      ['server.public_url', 'https://a.example/x', '  public_url: https://a.example/x'],
      ['server.cors_origins', 'https://a.example, https://b.example', ''],
      ['ollama.keep_alive', '-1', '  keep_alive: "-1"'],
      ['mail.from', 'Ada: "help" # desk <a@b>', ''],
      ['privacy.retention.usage', '90', '    usage: 90'],
      ['metrics.enabled', 'false', '  enabled: false'],
    ] as const) {
      const old = example.split('\n');
      const changed = (await after(example, path, value)).split('\n');
      const differing = changed.filter((one, index) => one !== old[index]);
      assert.deepEqual([changed.length, differing.length], [old.length, 1], path);
      if (line !== '') assert.deepEqual(differing, [line]);
    }
    const text = await after(example, 'mail.from', 'Ada: "help" # desk <a@b>');
    assert.equal((parse(text) as { mail: { from: string } }).mail.from, 'Ada: "help" # desk <a@b>');
  });

  it('keeps the comments, order, spaces and line endings of the file', async () => {
    const own = 'server: # mine\n    port:   80   # why\n\n\n    host: "x"\nlog: {level: info}\n';
    assert.equal(await after(own, 'server.port', '90'), own.replace('80', '90'));
    assert.equal(await after(own, 'log.level', 'warn'), own.replace('info', 'warn'));
    const windows = own.replaceAll('\n', '\r\n');
    assert.equal(await after(windows, 'server.port', '90'), windows.replace('80', '90'));
    assert.doesNotMatch(await after(windows, 'log.format', 'json'), /[^\r]\n/);
  });

  it('adds a missing setting or group, and keeps commented settings', async () => {
    const text = await after(
      '# mine\nserver:\n  # port: 80\nlog:\n  level: warn # less\n',
      'server.port',
      '81',
    );
    assert.deepEqual(parse(text), { server: { port: 81 }, log: { level: 'warn' } });
    assert.match(text, /^# mine$/m);
    assert.match(text, /# port: 80/);
    assert.match(text, /level: warn # less/);
    const more = await after(text, 'privacy.retention.audit', '30');
    assert.deepEqual((parse(more) as { privacy: unknown }).privacy, { retention: { audit: 30 } });
    assert.deepEqual(parse(await after('', 'log.level', 'warn')), { log: { level: 'warn' } });
    assert.equal(await after('server:\n  port:\n', 'server.port', '81'), 'server:\n  port: 81\n');
  });

  it('refuses an invalid value, an unknown setting and an invalid file, and leaves the file unchanged', async () => {
    for (const [text, path, value, message] of [
      [
        'log: {}\n',
        'log.level',
        'loud',
        /allowed are silent, .* assistant config explain log\.level$/,
      ],
      ['{}\n', 'server.port', '70000', /must be at most 65535/],
      ['{}\n', 'server.cors_origins', 'https://a.example/', /must be an origin/],
      ['a: [\n', 'server.port', '1', /not valid YAML/],
    ] as const) {
      await assert.rejects(after(text, path, value), { code: 'invalid_config', message });
      assert.equal(await readFile(file, 'utf8'), text);
    }
    await assert.rejects(after('', 'server.prot', '1'), {
      code: 'not_found',
      message: /Did you mean server\.port\?/,
    });
  });

  it('corrects one of several problems, and counts the others', async () => {
    await writeFile(file, 'server:\n  port: x\n  prot: 1\n');
    const { otherProblems, before } = await changeSetting(file, 'server.port', '80');
    assert.deepEqual([otherProblems, before], [1, 'x']);
  });

  it('replaces the file atomically with the same mode, even through a link, and only if the value differs', async () => {
    await writeFile(file, 'server:\n  port: 1\n');
    await chmod(file, 0o640);
    const real = join(folder.path, 'real.yaml');
    await rename(file, real);
    await symlink('real.yaml', file);
    const old = await stat(real);
    assert.equal((await changeSetting(file, 'server.port', '1')).changed, false);
    assert.equal((await stat(real)).ino, old.ino);
    assert.equal((await changeSetting(file, 'server.port', '2')).changed, true);
    const now = await stat(real);
    assert.notEqual(now.ino, old.ino);
    assert.equal(now.mode & 0o777, 0o640);
    assert.ok((await lstat(file)).isSymbolicLink());
    assert.deepEqual((await readdir(folder.path)).sort(), ['config.yaml', 'real.yaml']);
  });

  it('never returns a secret', async () => {
    await writeFile(file, 'mail:\n  password: old-hunter2\n');
    const changed = await changeSetting(file, 'mail.password', 'new-hunter2');
    assert.doesNotMatch(JSON.stringify(changed), /hunter2/);
    assert.equal(changed.changed, true);
  });
});
