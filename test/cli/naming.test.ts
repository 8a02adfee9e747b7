import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

describe('Names on the command line', () => {
  let installation: TestInstallation;
  let host: Host;
  let batch: string;
  let entry: { id: string; title: string };

  const run = (line: string, ...more: string[]) => host.run([...line.split(' '), ...more]);
  const json = <T>(line: string, ...more: string[]) => host.json<T>([...line.split(' '), ...more]);

  before(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(2));
    const { files } = await json<{ files: { batch_id: string }[] }>('ingest manual.pdf --approve');
    batch = files[0]?.batch_id ?? '';
    const { data } = await json<{ data: (typeof entry)[] }>('knowledge list');
    entry = data[0] ?? { id: '', title: '' };
    await run('apps create --name', 'Shop');
    await run('apps create --name', 'Shop staff');
    await run('domains create --host shop.example --app Shop');
    await run('keys create --json --name', 'web site');
    await run('tokens create --user ada@acme.example --json --name', 'docs pipeline');
  });
  after(async () => {
    await host.stop();
    await installation.remove();
  });

  it('can be numbers, names or the beginning of a name, in arguments and options', async () => {
    const lines = [
      'apps edit 2 --name Shop',
      'domains list --app Documentation',
      'domains list --app doc',
      'usage --app doc --user ada',
      'usage --app 1 --user 1',
      'knowledge list --domain docs',
      'knowledge list --domain 1',
      'knowledge list --domain elsewhere.example',
      `knowledge show ${entry.id.slice(0, 9)}`,
      `knowledge history ${entry.id.slice(0, 9)}`,
      `knowledge edit ${entry.id.slice(0, 9)} --status published --domain docs`,
      `batches show ${batch.slice(0, 9)}`,
      'batches show manual.pdf',
      'users edit ada --name Ada',
      'users edit 1 --name Ada',
      'keys snippet web',
      'keys rotate web --dry-run --secret-file -',
      'tokens revoke docs --dry-run',
      'orgs edit ac --name Acme',
    ];
    for (const line of lines) {
      const { code, stderr } = await run(line);
      assert.equal(code, 0, `${line}: ${stderr}`);
    }
    const shown = await json<{ id: string }>('knowledge show', entry.title);
    assert.equal(shown.id, entry.id);
  });

  it('are refused with a list of candidates if they are ambiguous, also in JSON', async () => {
    const { code, stdout, stderr } = await run('domains list --json --app sh');
    assert.equal(code, 2);
    assert.match(stderr, /sh may mean any of these\..*\n {2}2 {2}Shop\n {2}3 {2}Shop staff\n/);
    assert.equal((JSON.parse(stdout) as { error: { code: string } }).error.code, 'usage');
    assert.match((await run('keys snippet wk_live_')).stderr, /may mean any of these/);
  });

  it('must be complete for a deletion without a question', async () => {
    const short = await run('domains delete shop.exam --yes');
    assert.deepEqual([short.code, /only the beginning of/.test(short.stderr)], [2, true]);
    assert.equal((await run('domains delete', '', '--yes')).code, 2, 'an empty variable');
    assert.equal((await run('domains delete shop.example --yes')).code, 0);
    assert.equal((await run(`batches delete ${batch.slice(0, 9)} --yes`)).code, 0);
  });

  it('belong to the organization of the command only', async () => {
    await run('orgs create --name Globex');
    await run('--org globex apps create --name Depot');
    for (const line of [
      'domains list --app Depot',
      'domains list --app 4',
      'usage --user nobody',
    ]) {
      assert.equal((await run(line)).code, 3, line);
    }
    for (const line of [
      'apps edit Documentation --name X',
      'domains edit docs.acme.example --app Depot',
      'users edit ada@acme.example --name X',
      'keys revoke 1 --yes',
      'tokens revoke docs --dry-run',
      `knowledge show ${entry.id}`,
      `knowledge show ${entry.id.slice(0, 9)}`,
      `batches show ${batch.slice(0, 9)}`,
      'batches show manual.pdf',
    ]) {
      assert.equal((await run(`--org globex ${line}`)).code, 3, line);
    }
  });
});

describe('Former names of commands', () => {
  it('still work, but appear in no help', async () => {
    const installation = await makeInitialized();
    const host = startHost(installation);
    const run = (line: string) => host.run(line.split(' '));
    try {
      for (const line of [
        'orgs add --name Globex',
        'orgs remove globex --yes',
        'apps add --name Shop',
        'domains add --host shop.example --app Shop',
        'domains remove shop.example --yes',
        'views add --path /cart --title Cart --app Shop',
        'views remove /cart --yes',
        'apps remove Shop --yes',
        'knowledge add --title T --content C --domain docs.acme.example',
        'tokens mint --user ada@acme.example --name ci --json',
        'keys rotate-secret 1 --json',
      ]) {
        const { code, stderr } = await run(line);
        assert.equal(code, 0, `${line}: ${stderr}`);
      }
      const password = { ASSISTANT_PASSWORD: 'correct horse' };
      const added = await host.run(['users', 'add', '--email', 'ben@acme.example'], password);
      assert.equal(added.code, 0, added.stderr);
      for (const line of ['apps', 'keys', 'tokens', 'apps add', 'keys rotate-secret']) {
        const { stdout } = await run(`${line} --help`);
        assert.doesNotMatch(stdout, /\badd\b|\bremove\b|\bmint\b|rotate-secret/, line);
      }
    } finally {
      await host.stop();
      await installation.remove();
    }
  });
});

describe('Lists of the command line', () => {
  it('are complete in a pipe, name the time zone, and state when they are empty', async () => {
    const installation = await makeInitialized();
    const host = startHost(installation);
    const run = (args: string[]) => host.run(args);
    try {
      const empty = await run(['knowledge', 'list']);
      assert.deepEqual([empty.code, empty.stdout], [0, '']);
      assert.match(empty.stderr, /^There are no entries\. Make some with: assistant ingest/);
      const none = await run(['knowledge', 'list', '--status', 'draft']);
      assert.match(none.stderr, /^There are no entries that match\.$/m);

      const title = 'A long title of an entry '.repeat(20).trim();
      const place = ['--content', 'C', '--domain', 'docs.acme.example'];
      await run(['knowledge', 'create', '--title', title, ...place]);
      assert.ok((await run(['knowledge', 'list'])).stdout.includes(title));
      assert.match(
        (await run(['audit', 'list'])).stdout,
        /^when \(UTC\) .*\n\d{4}-\d\d-\d\d \d\d:\d\d /,
      );
      assert.match(
        (await run(['audit', 'list', '--help'])).stdout,
        /changes per page, at most 1000/,
      );
    } finally {
      await host.stop();
      await installation.remove();
    }
  });
});
