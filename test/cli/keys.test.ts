import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPseudoTerminal } from '../support/pseudo-terminal.js';
import {
  makeInitialized,
  program,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';

interface Key {
  id: number;
  key: string;
  kind: string;
  name: string;
  secret?: string;
  secret_file?: string;
  revoked_at: string | null;
  secrets: { expires_at: string | null }[];
}
interface Snippet {
  tag: string;
  integrity: string;
  policy: Record<string, string>;
  domains: string[];
}

describe('assistant keys', () => {
  let installation: TestInstallation;

  let host: Host;

  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
  });
  after(async () => {
    await host.stop();
    await installation.remove();
  });

  const run = (...words: string[]) => host.run(['keys', ...words]);
  const json = <T>(...words: string[]) => host.json<T>(['keys', ...words]);
  /** Into a pipe, as in a CI job, a secret is printed only with this option. */
  const aloud = ['--secret-file', '-'];
  const list = async () => (await json<{ data: Key[] }>('list')).data;

  it('creates a key, whose secret is shown once', async () => {
    const made = await json<Key>('create', '--name', 'website', ...aloud);
    assert.match(made.key, /^wk_live_[0-9a-f]{32}$/);
    assert.match(made.secret ?? '', /^wsk_secret_[\w-]{43}$/);
    assert.deepEqual([made.kind, made.name], ['public', 'website']);
    const all = JSON.stringify(await list());
    assert.ok(all.includes(made.key));
    assert.ok(!all.includes(made.secret ?? 'none'));
    const shown = await run(
      ...['create', '--name', 'staff', '--kind', 'authenticated', '--app', '1', ...aloud],
    );
    assert.match(shown.stdout, /^id +\d+\nkey +wk_live_\w+\nsecret +wsk_secret_\S+$/m);
    assert.match(shown.stderr, /not shown again/);
  });

  it('shows the secret at a terminal, and asks only for missing values', async () => {
    const terminal = openPseudoTerminal(
      `"${process.execPath}" "${program}" keys create --kind authenticated`,
      installation.folder,
      { ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9' },
    );
    await terminal.shows(/What the key is for:/);
    terminal.type('portal\r');
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.screen(), /^secret {2}wsk_secret_[\w-]{43}\s/m);
    const made = (await list()).find(({ name }) => name === 'portal');
    assert.equal(made?.kind, 'authenticated');
  });

  it('creates nothing whose secret would end in a log, without an option for it', async () => {
    const before = (await list()).length;
    for (const args of [
      ['create', '--name', 'ci'],
      ['rotate', '1'],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /no terminal.*--secret-file/);
      assert.doesNotMatch(stdout, /wsk_/);
    }
    assert.equal((await list()).length, before);
  });

  it('prints the secret with --json, but not in a dry run', async () => {
    const before = (await list()).length;
    const dry = await json<Key & { dry_run: boolean }>('create', '--name', 'ci', '--dry-run');
    assert.ok(dry.dry_run && dry.secret === undefined);
    assert.equal((await list()).length, before);
    const { id, secret } = await json<Key>('create', '--name', 'ci');
    assert.match(secret ?? '', /^wsk_secret_/);
    const rotated = await json<Key>('rotate', String(id), '--dry-run');
    assert.equal(rotated.secret, undefined);
    assert.equal((await list()).find((one) => one.id === id)?.secrets.length, 1);
  });

  it('writes a secret to a new file that only its owner can read', async () => {
    const file = join(installation.folder, 'site.secret');
    const made = await json<Key>('create', '--name', 'site', '--secret-file', file);
    assert.equal(made.secret, undefined);
    assert.equal(made.secret_file, file);
    assert.match(await readFile(file, 'utf8'), /^wsk_secret_[\w-]{43}\n$/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);

    const before = (await list()).length;
    await writeFile(join(installation.folder, 'precious'), 'mine');
    const precious = join(installation.folder, 'precious');
    const refused = await run('create', '--name', 'x', '--secret-file', precious);
    assert.equal(refused.code, 2);
    assert.equal(await readFile(precious, 'utf8'), 'mine');
    assert.equal((await list()).length, before);
    // A failed command leaves no file.
    const other = join(installation.folder, 'other.secret');
    const unknown = await run('rotate', '999', '--secret-file', other);
    assert.equal(unknown.code, 3);
    await assert.rejects(stat(other), { code: 'ENOENT' });
  });

  it('treats the token of tokens create in the same way', async () => {
    const mint = ['tokens', 'create', '--user', 'ada@acme.example', '--name'];
    const tokens = async () =>
      (await host.json<{ data: { id: number; name: string }[] }>(['tokens', 'list'])).data;
    const piped = await host.run([...mint, 'piped']);
    assert.deepEqual([piped.code, piped.stdout], [2, '']);
    assert.match(piped.stderr, /no terminal.*--secret-file .*--json/);
    const dry = await host.json<{ token?: string; dry_run: boolean }>([
      ...[...mint, 'dry', '--dry-run'],
    ]);
    assert.ok(dry.dry_run && dry.token === undefined);
    assert.deepEqual(await tokens(), [], 'no token was created');

    const file = join(installation.folder, 'ci.token');
    const kept = await host.run([...mint, 'kept', '--secret-file', file]);
    assert.deepEqual([kept.code, kept.stdout], [0, `${file}\n`]);
    assert.match(await readFile(file, 'utf8'), /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const asked = await host.json<{ token: string }>([...mint, 'asked']);
    assert.match(asked.token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    const aloud = await host.run([...mint, 'aloud', '--secret-file', '-']);
    assert.match(aloud.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    assert.equal((await tokens()).length, 3);
    assert.equal((await host.run([...mint, 'again', '--secret-file', file])).code, 2);
    assert.equal((await tokens()).length, 3, 'an existing file prevents a new token');
  });

  it('rotates a secret with an overlap, and revokes a key', async () => {
    const { id, secret } = await json<Key>('create', '--name', 'old', ...aloud);
    const rotated = await json<Key>(...['rotate', String(id), '--overlap', '24h', ...aloud]);
    assert.notEqual(rotated.secret, secret);
    assert.equal(rotated.secrets.length, 2);
    const [old] = rotated.secrets.filter((one) => one.expires_at !== null);
    assert.ok(old?.expires_at);
    const left = Date.parse(old.expires_at) - Date.now();
    assert.ok(left > 23 * 3_600_000 && left <= 24 * 3_600_000, old.expires_at);
    const wrong = await run('rotate', String(id), '--overlap', '1 day', ...aloud);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--overlap: expected a time such as 90s, 30m, 24h or 7d/);
    assert.equal((await run('revoke', String(id))).code, 2);
    const dry = await json<Key & { dry_run: boolean }>('revoke', String(id), '--dry-run');
    assert.ok(dry.dry_run && dry.revoked_at !== null);
    assert.equal((await list()).find((one) => one.id === id)?.revoked_at, null);
    const revoked = await json<Key>('revoke', String(id), '--yes');
    assert.ok(revoked.revoked_at);
    assert.equal((await run('rotate', String(id), ...aloud)).code, 4);
    assert.equal((await run('snippet', String(id))).code, 4);
    assert.equal((await run('revoke', '999', '--yes')).code, 3);
  });

  it('prints the tag with its integrity, the Content-Security-Policy, and the domains of a key', async () => {
    const { id, key } = await json<Key>('create', '--name', 'docs', ...aloud);
    const server = ['--server', 'https://assistant.example.com/help/'];
    const snippet = await json<Snippet>('snippet', String(id), ...server);
    assert.match(snippet.integrity, /^sha384-[A-Za-z0-9+/]{64}$/);
    assert.equal(
      snippet.tag,
      `<script src="https://assistant.example.com/help/widget/v1/assistant.js" integrity="${snippet.integrity}" ` +
        `crossorigin="anonymous" data-api-key="${key}" async></script>`,
    );
    assert.deepEqual(snippet.policy, {
      'script-src': 'https://assistant.example.com',
      'connect-src': 'https://assistant.example.com wss://assistant.example.com',
    });
    assert.equal(snippet.domains.length, 1);
    assert.deepEqual(await json('snippet', key, ...server), snippet);
    const text = await run('snippet', key);
    assert.match(text.stdout, /^<script src="http:\/\/localhost:\d+\/widget\/v1\/assistant.js"/);
    assert.match(text.stdout, /\n {2}connect-src http:\S+ ws:\/\/localhost:\d+;/);
    assert.match(text.stderr, /--server/);
    const env = { ASSISTANT_SERVER_PUBLIC_URL: 'https://assistant.example.com/help' };
    assert.deepEqual(await host.json(['keys', 'snippet', key], env), snippet);
    assert.equal((await run('snippet', '999')).code, 3);
    assert.equal((await run('snippet', 'wk_live_nobody')).code, 3);
    assert.equal((await run('snippet', key, '--server', 'javascript:alert(1)')).code, 2);
  });
});
