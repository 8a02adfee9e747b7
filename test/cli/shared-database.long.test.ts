import { matchAllWords } from '../../src/search/ranking/match-all-words.js';
import { listOrganizations } from '../../src/tenancy/sites.repository.js';
import { visibilities } from '../../src/platform/actor.js';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openApp } from '../../src/main/open-app.js';
import { configSchema } from '../../src/platform/config/schema.js';
import {
  makeInitialized,
  startHost,
  type Host,
  type RunningCli,
  type TestInstallation,
} from '../support/run-cli.js';

const host = 'docs.acme.example';

describe('Server and commands on one database', () => {
  it('see each other’s changes at once, without a lost write or a lock', async () => {
    const installation = await makeInitialized();
    const server = installation.start(['serve', '--port', '0']);
    try {
      const [, url] = await server.until(/serves at (\S+)/);
      const minted = await installation.json<{ token: string }>([
        'tokens',
        'mint',
        '--user',
        'ada@acme.example',
        '--name',
        'test',
      ]);
      const ask = async (message: string) => {
        const response = await fetch(`${url}/api/conversations/message`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${minted.token}` },
          body: JSON.stringify({
            message,
            context: { url: 'https://docs.acme.example/', title: 'T' },
          }),
        });
        assert.equal(response.status, 200);
        return (await response.json()) as { found: boolean; response: string };
      };
      assert.equal((await ask('Where is the quokka kept?')).found, false);
      const add = (index: number) =>
        installation.run([
          ...['knowledge', 'create', '--title', `Animal ${index}`, '--domain', 'docs.acme.example'],
          ...[
            '--content',
            `The quokka number ${index} is kept in the garden.`,
            '--status',
            'published',
          ],
        ]);
      assert.equal((await add(0)).code, 0);
      assert.match((await ask('Where is the quokka kept?')).response, /in the garden/);

      const questions = Promise.all(
        Array.from({ length: 20 }, (_, index) => ask(`Is quokka ${index} kept in the garden?`)),
      );
      const commands = await Promise.all(Array.from({ length: 2 }, (_, index) => add(index + 1)));
      assert.deepEqual(
        commands.map(({ code, stderr }) => [code, stderr]),
        commands.map(() => [0, '']),
      );
      await questions;
      const { pagination } = await installation.json<{ pagination: { total: number } }>([
        'knowledge',
        'list',
      ]);
      assert.equal(pagination.total, 3);
      server.child.kill('SIGTERM');
      const { code, stderr } = await server.ended;
      assert.equal(code, 0);
      assert.ok(!stderr.includes('locked'), stderr);
    } finally {
      server.child.kill('SIGKILL');
      await server.ended;
      await installation.remove();
    }
  });
});

/** The text of an entry, which a search for `quokka` must find at the end. */
const text = (title: string) => `${title} is kept by the quokka.`;

describe('Many writers at once', () => {
  let installation: TestInstallation;
  let server: RunningCli;
  let hosts: [Host, Host];
  before(async () => {
    installation = await makeInitialized();
    hosts = [startHost(installation), startHost(installation)];
    server = installation.start(['serve', '--port', '0'], {
      ASSISTANT_LIMITS_MESSAGES_PER_MINUTE: '0',
    });
  });
  after(async () => {
    server.child.kill('SIGKILL');
    await Promise.all([server.ended, ...hosts.map((host) => host.stop())]);
    await installation.remove();
  });

  it('store 600 writes of commands and a server, without a refusal', async () => {
    const [, url = ''] = await server.until(/serves at (\S+)/);
    const call = async (method: string, path: string, body: object, token?: string) => {
      const response = await fetch(`${url}/api/${path}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
      const answer = await response.text();
      assert.ok(response.ok, `${method} ${path}: ${response.status} ${answer}`);
      return JSON.parse(answer) as Record<string, unknown>;
    };
    const credentials = { email: 'ada@acme.example', password: 'correct horse' };
    const { token } = await call('POST', 'auth/login', credentials);
    assert.ok(typeof token === 'string');

    // 100 entries and an edit of each, ten at a time, and 80 questions with two messages each.
    const byServer = Array.from({ length: 10 }, async (_, lane) => {
      for (let index = 0; index < 10; index += 1) {
        const title = `Server ${lane} ${index}`;
        const { id } = await call(
          ...['POST', 'knowledge'],
          { title, content: 'Not yet known.', domain: host, status: 'published' },
          token,
        );
        await call('PUT', `knowledge/${String(id)}`, { content: text(title) }, token);
      }
    });
    const context = { url: `https://${host}/`, title: 'T' };
    const questions = Array.from({ length: 4 }, async (_, lane) => {
      for (let index = 0; index < 20; index += 1) {
        const message = `Where is the quokka ${lane} ${index}?`;
        await call('POST', 'conversations/message', { message, context }, token);
      }
    });
    // 120 commands in two processes, each one after the other.
    const byHosts = hosts.map(async (cli, number) => {
      for (let index = 0; index < 30; index += 1) {
        const title = `Command ${number} ${index}`;
        const added = ['knowledge', 'create', '--title', title, '--content', text(title)];
        const commands = [
          [...added, '--domain', host, '--status', 'published'],
          ['domains', 'create', '--host', `d${index}.of${number}.example`, '--app', '1'],
        ];
        for (const command of commands) {
          const { code, stderr } = await cli.run(command);
          assert.deepEqual([code, stderr], [0, ''], command.join(' '));
        }
      }
    });
    // 200 entries from eight processes.
    const byProcesses = Array.from({ length: 8 }, async (_, number) => {
      const titles = Array.from({ length: 25 }, (_, index) => `Imported ${number} ${index}`);
      const lines = titles.map((title) =>
        JSON.stringify({ title, content: text(title), domain: host, status: 'published' }),
      );
      const input = lines.join('\n');
      const { code, stderr } = await installation.run(['knowledge', 'import', '-'], { input });
      assert.deepEqual([code, stderr], [0, '']);
    });
    await Promise.all([...byServer, ...questions, ...byHosts, ...byProcesses]);

    server.child.kill('SIGTERM');
    const { code, stderr } = await server.ended;
    assert.equal(code, 0);
    assert.match(stderr, /^Stopping: .*\n$/, 'no request failed');
    const path = join(installation.folder, 'data', 'assistant.sqlite');
    const app = await openApp(configSchema.parse({ database: { path }, log: { level: 'silent' } }));
    try {
      const { read } = app.db;
      const count = async (table: string) =>
        (await read(table).count({ count: '*' }).first())?.['count'];
      const titled = await read('knowledge_entries').countDistinct({ count: 'title' }).first();
      assert.equal(titled?.['count'], 360);
      assert.equal(await count('knowledge_entries'), 360);
      assert.equal(await count('passages'), 360);
      const [organization] = await listOrganizations(app);
      const matching = await matchAllWords(app, organization?.id ?? 0, [...visibilities], 'quokka');
      assert.equal(matching.length, 360, 'each can be found by its words');
      assert.equal(await count('domains'), 61);
      assert.equal(await count('messages'), 160);
      assert.deepEqual(await read.raw('pragma integrity_check'), [{ integrity_check: 'ok' }]);
      assert.deepEqual(await read.raw('pragma foreign_key_check'), []);
    } finally {
      await app.close();
    }
  }).timeout(120_000);
});
