import assert from 'node:assert/strict';
import { openPseudoTerminal } from '../../support/pseudo-terminal.js';
import { hosted, makeInitialized, program, type TestInstallation } from '../../support/run-cli.js';
import { meaningOf } from '../../support/ollama-stand-in-embeddings.js';
import { startOllamaStandIn, type OllamaStandIn } from '../../support/ollama-stand-in.js';

interface Report {
  embedded: number;
  whole: boolean;
  failure: string | null;
  generations: { state: string; model: string; embedded: number; passages: number }[];
}

describe('assistant reindex', () => {
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
  const states = ({ generations }: Pick<Report, 'generations'>) =>
    generations.map(({ state, model, embedded, passages }) =>
      [state, model, `${embedded}/${passages}`].join(' '),
    );

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

  it('embeds every passage, shows the state, and can be undone', async () => {
    const done = await installation.json<Report>(['reindex'], env('all-minilm'));
    assert.equal(done.whole, true);
    assert.equal(done.embedded, 12);
    assert.deepEqual(states(done), ['live all-minilm 12/12']);
    const next = await installation.run(['reindex'], env('bge-m3'));
    assert.equal(next.code, 0, next.stderr);
    assert.match(next.stdout, /12 passages were embedded/);
    const status = await installation.run(['reindex', '--status'], env('bge-m3'));
    assert.match(status.stdout, /previous\s+all-minilm[\s\S]*live\s+bge-m3/);
    const undone = await installation.json<Report>(['reindex', '--undo'], env('bge-m3'));
    assert.deepEqual(states(undone), ['live all-minilm 12/12', 'undone bge-m3 12/12']);
    const redone = await installation.json<Report>(['reindex'], env('bge-m3'));
    assert.deepEqual(states(redone), ['previous all-minilm 12/12', 'live bge-m3 12/12']);
    assert.equal(redone.embedded, 0);
  });

  it('reports a missing model setting, a missing model, or nothing to undo', async () => {
    const unset = await installation.run(['reindex'], env(''));
    assert.equal(unset.code, 2);
    assert.match(unset.stderr, /ollama\.embedding_model/);
    const missing = await installation.run(['reindex'], env('unknown-model'));
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /ollama pull unknown-model/);
    const both = await installation.run(['reindex', '--undo', '--status'], env('bge-m3'));
    assert.equal(both.code, 2);
    const fresh = hosted(await makeInitialized());
    try {
      const nothing = await fresh.run(['reindex', '--undo'], env('bge-m3'));
      assert.equal(nothing.code, 4);
    } finally {
      await fresh.remove();
    }
  });

  it('is run by the worker too, which reports a missing model', async () => {
    const missing = await installation.run(['worker', '--once'], env('unknown-model'));
    assert.equal(missing.code, 5);
    assert.match(missing.stderr, /ollama pull unknown-model/);
    const done = await installation.json<object>(['worker', '--once'], env('bge-m3'));
    assert.deepEqual(done, { attempts: 0 });
  });

  it('reports in one sentence at a terminal that a question was searched by words alone', async () => {
    await installation.run(['reindex'], env('all-minilm'));
    const search = `"${process.execPath}" "${program}" knowledge search parked`;
    const { env: settings } = env('all-minilm', { ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9' });
    const terminal = openPseudoTerminal(search, installation.folder, settings);
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.screen(), /^\(a question was searched by words alone: .*\)\r?$/m);
    assert.doesNotMatch(terminal.screen(), /"level"/);
  });

  it('takes effect at once in another process that serves', async () => {
    ollama.digests = {};
    ollama.embed = meaningOf({ dimension: 64 });
    const { env: settings } = env('bge-m3', { ASSISTANT_OLLAMA_EMBEDDING_POLL_MS: '50' });
    const serving = installation.start(['serve', '--port', '0', '--json'], settings);
    await serving.until(/"url"/);
    await add('Fleet', 'Where the car is kept.');
    const whole = async (): Promise<boolean> => {
      const report = await installation.json<Report>(['reindex', '--status'], env('bge-m3'));
      const live = report.generations.find(({ state }) => state === 'live');
      return live?.model === 'bge-m3' && live.embedded === live.passages;
    };
    while (!(await whole())) assert.equal(serving.child.exitCode, null);
    serving.child.kill('SIGTERM');
    await serving.ended;
    const found = await installation.run(['knowledge', 'search', 'automobile'], env('bge-m3'));
    assert.match(found.stdout, /Fleet/);
  }).timeout(120_000);
});
