import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createEntry } from '../../src/knowledge/create-entry.js';
import { openApp } from '../../src/main/open-app.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { makeInitialized } from '../support/run-cli.js';

describe('server and CLI on one database', () => {
  it('lose nothing, lock nothing, and see each other’s changes at once', async () => {
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
          ...['knowledge', 'add', '--title', `Animal ${index}`, '--domain', 'docs.acme.example'],
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
        Array.from({ length: 100 }, (_, index) => ask(`Is quokka ${index} kept in the garden?`)),
      );
      const commands = await Promise.all(Array.from({ length: 4 }, (_, index) => add(index + 1)));
      assert.deepEqual(
        commands.map(({ code, stderr }) => [code, stderr]),
        commands.map(() => [0, '']),
      );
      await questions;
      const { pagination } = await installation.json<{ pagination: { total: number } }>([
        'knowledge',
        'list',
      ]);
      assert.equal(pagination.total, 5);
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

describe('many writers at once', () => {
  it('store 300 entries from CLI processes and two opened applications, every one of them', async () => {
    const installation = await makeInitialized();
    const path = join(installation.folder, 'data', 'assistant.sqlite');
    const config = configSchema.parse({ database: { path }, log: { level: 'silent' } });
    const apps = [await openApp(config), await openApp(config)] as const;
    const operator = { kind: 'operator', organizationId: 1 } as const;
    const entry = (title: string) => ({
      title,
      content: `${title} is kept by the quokka.`,
      domain: 'docs.acme.example',
      status: 'published' as const,
    });
    try {
      const inProcess = apps.flatMap((app, writer) =>
        Array.from({ length: 140 }, (_, index) =>
          createEntry(app, operator, entry(`App${writer} entry${index}`)),
        ),
      );
      const processes = Array.from({ length: 20 }, (_, index) => {
        const { title, content, domain } = entry(`Cli entry${index}`);
        const fields = ['--title', title, '--content', content, '--domain', domain];
        return installation.run(['knowledge', 'add', ...fields, '--status', 'published']);
      });
      await Promise.all(inProcess);
      for (const { code, stderr } of await Promise.all(processes)) {
        assert.deepEqual([code, stderr], [0, '']);
      }
      const count = async (table: string) =>
        (await apps[0].db.read(table).countDistinct({ count: 'title' }).first())?.['count'];
      assert.equal(await count('knowledge_entries'), 300);
      assert.equal(await count('passages'), 300);
      const { dialect, read } = apps[1].db;
      const indexed = await dialect.countPassagesWith(read, ['quokka']);
      assert.equal(indexed.get('quokka'), 300, 'each can be found by its words');
    } finally {
      await Promise.all(apps.map((app) => app.close()));
      await installation.remove();
    }
  });
});
