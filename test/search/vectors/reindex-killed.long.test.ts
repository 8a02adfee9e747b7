import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { openSqlite } from '../../../src/platform/db/open-sqlite.js';
import { hosted, makeInitialized, type TestInstallation } from '../../support/run-cli.js';
import { meaningOf } from '../../support/ollama-stand-in-embeddings.js';
import { startOllamaStandIn, type OllamaStandIn } from '../../support/ollama-stand-in.js';

interface Report {
  embedded: number;
  whole: boolean;
  failure: string | null;
  generations: { state: string; model: string; embedded: number; passages: number }[];
}

describe('assistant reindex after it was killed', () => {
  let installation: TestInstallation;
  let ollama: OllamaStandIn;

  const env = (model: string, more: Record<string, string> = {}) => ({
    env: {
      ASSISTANT_OLLAMA_URL: ollama.url,
      ASSISTANT_OLLAMA_EMBEDDING_MODEL: model,
      ASSISTANT_OLLAMA_EMBEDDING_BATCH: '4',
      ...more,
    },
  });
  const add = async (title: string, content: string) => {
    const args = ['knowledge', 'create', '--title', title, '--content', content];
    const where = ['--domain', 'docs.acme.example', '--status', 'published'];
    const { code, stderr } = await installation.run([...args, ...where]);
    assert.equal(code, 0, stderr);
  };
  const embedCalls = () => ollama.requests.filter(({ path }) => path === '/api/embed').length;

  before(async () => {
    ollama = await startOllamaStandIn({
      models: ['all-minilm:latest', 'bge-m3:latest'],
      embed: meaningOf({ dimension: 64 }),
    });
    installation = hosted(await makeInitialized());
    const sentence = (number: number) => `Car number ${number} is ${'parked '.repeat(150)}here.`;
    // Each of its sentences is a passage of its own.
    const content = Array.from({ length: 12 }, (_, number) => sentence(number)).join(' ');
    await add('Cars', content);
  });
  after(async () => {
    await installation.remove();
    await ollama.stop();
  });

  it('continues where it stopped and embeds nothing twice', async () => {
    await installation.run(['reindex'], env('all-minilm'));
    await installation.run(['reindex', '--undo'], env('all-minilm'));
    ollama.digests['all-minilm:latest'] = 'sha256:pulled-again';
    const before = embedCalls();
    // The first call learns the dimension; the third batch never ends.
    ollama.embed = (text) => {
      if (embedCalls() >= before + 4) ollama.embedStalls = true;
      return meaningOf({ dimension: 32 })(text);
    };
    const slow = env('all-minilm', { ASSISTANT_OLLAMA_EMBEDDING_LEASE_MS: '600000' });
    const running = installation.start(['reindex'], slow.env);
    await Promise.race([
      ollama.until(() => embedCalls() >= before + 4),
      running.ended.then(({ stderr }) => assert.fail(`it ended by itself: ${stderr}`)),
    ]);
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    ollama.embedStalls = false;
    ollama.release();
    ollama.embed = meaningOf({ dimension: 32 });
    const seen = await installation.run(['reindex', '--status'], slow);
    assert.match(seen.stderr, /If it was killed, another process can continue 600 s after/);
    const status = await installation.json<Report>(['reindex', '--status'], env('all-minilm'));
    const building = status.generations.find(({ state }) => state === 'building');
    assert.deepEqual([building?.embedded, building?.passages], [8, 12]);
    const next = installation.start(['reindex', '--json'], slow.env);
    await next.until(/Another process embeds passages: waiting for it\./, 'stderr');
    const db = openSqlite(join(installation.folder, 'data', 'assistant.sqlite'), 1, []);
    await db('embedding_work').update({ lease_expires_at: '2000-01-01T00:00:00.000Z' });
    await db.destroy();
    const { stdout } = await next.ended;
    const done = JSON.parse(stdout) as Report;
    assert.equal(done.embedded, 4);
    assert.equal(done.whole, true);
  }).timeout(120_000);
});
