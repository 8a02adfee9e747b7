import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createDatabase, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { hosted, makeInitialized, type TestInstallation } from '../support/run-cli.js';

describe('The commands on PostgreSQL', () => {
  let server: PostgresServer;
  let installation: TestInstallation;
  let env: Record<string, string>;

  before(async () => {
    server = await startPostgres();
    installation = hosted(await makeInitialized());
    const created = await installation.run([
      ...['knowledge', 'create', '--title', 'Hours', '--domain', 'docs.acme.example'],
      ...['--status', 'published', '--content', 'The shop opens at nine in the morning.'],
    ]);
    assert.equal(created.code, 0, created.stderr);
    env = { ASSISTANT_DATABASE_URL: (await createDatabase(server.url)).url };
    const moved = await installation.run(['migrate', '--from', 'sqlite:data/assistant.sqlite'], {
      env,
    });
    assert.match(moved.stdout, /^Copied \d+ rows of \d+ tables from .* and compared them\.\n$/);
  });
  after(async () => {
    await installation.remove();
    await server.stop();
  });

  const passes = async (args: string[], used = env) => {
    const { code, stdout, stderr } = await installation.run(args, { env: used });
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };

  it('answer from what was moved, name the database without a password, and find nothing wrong', async () => {
    assert.match(await passes(['ask', 'When does the shop open?']), /nine in the morning/);
    const named = /database: postgres:\/\/127\.0\.0\.1:\d+\/test_\w+, /;
    assert.match(await passes(['doctor', '--quick']), named);
    assert.match(await passes(['doctor', '--repair']), /nothing to repair/);
    assert.match(await passes(['upgrade']), /up to date/);
    assert.match(await passes(['init', '--dry-run', '--yes']), /exists: {2}Organization/);
  });

  it('serve, with an account of one server for all machines', async () => {
    const running = installation.start(['serve', '--port', '0'], env);
    const [, url = ''] = await running.until(/serves at (http:\S+?)[.,]?\s/);
    const health = await fetch(`${url}/health/ready`);
    assert.equal(((await health.json()) as { checks: { database: string } }).checks.database, 'ok');
    running.child.kill('SIGTERM');
    assert.equal((await running.ended).code, 0);
  });

  it('back up, verify, and restore into an empty database, on either engine', async () => {
    const { file } = await installation.json<{ file: string }>(['backup'], { env });
    assert.match(await passes(['backup', 'verify', file]), /is whole: 1 organization, 1 entry/);
    const full = await installation.run(['restore', file], { env });
    assert.equal(full.code, 4);
    assert.match(full.stderr, /already holds an organization\. Make an empty one/);
    const empty = { ASSISTANT_DATABASE_URL: (await createDatabase(server.url)).url };
    await passes(['restore', file], empty);
    assert.match(await passes(['ask', 'When does the shop open?'], empty), /nine in the morning/);
    const path = join(installation.folder, 'data', 'moved.sqlite');
    await passes(['migrate', '--to', `sqlite:${path}`]);
    const back = { ASSISTANT_DATABASE_PATH: path };
    assert.match(await passes(['ask', 'When does the shop open?'], back), /nine in the morning/);
  });

  it('refuse a database that sorts by the rules of a language', async () => {
    const made = await createDatabase(server.url, { locale: "lc_ctype 'C' lc_collate 'C'" });
    const refused = await installation.run(['keys', 'list'], {
      env: { ASSISTANT_DATABASE_URL: made.url },
    });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /does not know their letters\. Make another database: create/);
  });

  it('say what to do about a database that can’t be opened', async () => {
    const { ASSISTANT_DATABASE_URL: url = '' } = env;
    const withPassword = url.replace('test@', 'nobody:hunter2@');
    for (const [wrong, said, code] of [
      [
        'postgres://test@127.0.0.1:1/assistant',
        /PostgreSQL does not answer .* Check that it runs/,
        1,
      ],
      [withPassword, /can't be opened \(.*\)\. Check its name, its user and the password/, 2],
      [`${url}_absent`, /can't be opened \(database .* does not exist\)/, 2],
      [withPassword.replace('postgres:', 'mysql:'), /must be like postgres:\/\/user@host\/name/, 2],
    ] as const) {
      const result = await installation.run(['keys', 'list'], {
        env: { ASSISTANT_DATABASE_URL: wrong },
      });
      assert.match(result.stderr, said);
      assert.doesNotMatch(result.stderr, /hunter2/);
      assert.equal(result.code, code);
    }
  });
});
