import assert from 'node:assert/strict';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { openPseudoTerminal } from '../support/pseudo-terminal.js';
import { hosted, makeInstallation, program, type TestInstallation } from '../support/run-cli.js';

describe('assistant models', () => {
  let installation: TestInstallation;
  let ollama: OllamaStandIn;
  let env: Record<string, string>;
  before(async () => (installation = hosted(await makeInstallation())));
  after(() => installation.remove());
  beforeEach(async () => {
    ollama = await startOllamaStandIn();
    env = {
      ASSISTANT_OLLAMA_URL: ollama.url,
      ASSISTANT_OLLAMA_EMBEDDING_MODEL: 'nomic-embed-text',
    };
  });
  afterEach(() => ollama.stop());
  const run = (...args: string[]) => installation.run(['models', ...args], { env });
  const lines = (stdout: string) =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  describe('list', () => {
    it('shows what is there, what is in memory, and what the settings lack', async () => {
      ollama.models = ['llama3.2:latest', 'qwen3:8b'];
      ollama.loaded = [{ name: 'llama3.2:latest', numCtx: 8192 }];
      const { code, stdout } = await run('list');
      assert.equal(code, 0);
      assert.match(stdout, /^nomic-embed-text +embedding +- .*missing$/m);
      assert.match(
        stdout,
        /^llama3\.2:latest +chat +2\.0 GB +3\.2B +Q4_K_M +loaded \(100 % on GPU/m,
      );
      assert.match(stdout, /^qwen3:8b +- .*installed$/m);
      assert.match(stdout, /assistant models pull/);
    });

    it('gives the same as one JSON document', async () => {
      ollama.models = ['llama3.2:latest'];
      const { url, models } = await installation.json<{
        url: string;
        models: { name: string; installed: boolean; uses: string[]; loaded: unknown }[];
      }>(['models', 'list'], { env });
      assert.equal(url, ollama.url);
      assert.deepEqual(
        models.map(({ name, installed, uses, loaded }) => [name, installed, uses, loaded]),
        [
          ['nomic-embed-text', false, ['embedding'], null],
          ['llama3.2:latest', true, ['chat'], null],
        ],
      );
    });

    it('fails with a sentence where no Ollama answers', async () => {
      await ollama.stop();
      const { code, stdout, stderr } = await run('list');
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /ollama serve/);
    });
  });

  describe('pull', () => {
    const pulls = () =>
      ollama.requests
        .filter(({ path }) => path === '/api/pull')
        .map(({ body }) => (body as { name: string }).name);

    it('fetches the models of the settings that are missing, and says each step once', async () => {
      ollama.models = ['llama3.2:latest'];
      const { code, stdout, stderr } = await run('pull');
      assert.equal(code, 0);
      assert.deepEqual(pulls(), ['nomic-embed-text']);
      assert.equal(stdout, 'nomic-embed-text is there.\n');
      assert.equal(stderr.match(/pulling dde5aa3fc5ff/g)?.length, 1);
      const again = await run('pull');
      assert.match(again.stdout, /All models of the settings are there/);
      assert.equal(pulls().length, 1);
    });

    it('fetches those that are named, and gives JSON lines', async () => {
      const { code, stdout, stderr } = await run('pull', 'qwen3:8b', '--json');
      assert.deepEqual([code, stderr], [0, '']);
      const all = lines(stdout);
      assert.ok(all.length > 2 && all.slice(0, -1).every(({ type }) => type === 'progress'));
      assert.deepEqual(all.at(-1), { type: 'done', model: 'qwen3:8b', ok: true, reason: null });
    });

    it('draws a bar on a terminal', async () => {
      const command = `"${process.execPath}" "${program}" models pull qwen3`;
      const terminal = openPseudoTerminal(command, installation.folder, env);
      assert.equal(await terminal.ended, 0);
      assert.match(terminal.screen(), /\[#+\.*\] \d+\/2019 MB.*qwen3/);
    });

    it('ends with 1 when nothing was pulled, and 5 when some was', async () => {
      ollama.pullEnds = { error: 'pull model manifest: file does not exist' };
      const failed = await run('pull', 'lama3');
      assert.equal(failed.code, 1);
      assert.match(failed.stderr, /no model "lama3" to pull/);
      const before = pulls().length;
      const working = installation.run(['models', 'pull', 'lama3', 'qwen3'], { env });
      await ollama.until(() => pulls().length === before + 1);
      ollama.pullEnds = undefined;
      assert.equal((await working).code, 5);
    });

    it('ends at Ctrl-C, and says that it can go on', async () => {
      ollama.pullEnds = 'silent';
      const pulling = installation.start(['models', 'pull', 'qwen3', '--json'], env);
      await pulling.until(/pulling manifest/);
      pulling.child.kill('SIGINT');
      const { code, stderr } = await pulling.ended;
      assert.equal(code, 1);
      assert.match(stderr, /Run the same again to go on/);
      await ollama.until(() => ollama.aborted === 1);
    });
  });

  describe('check', () => {
    it('says how fast the models are', async () => {
      const { code, stdout } = await run('check');
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^ok +llama3\.2 \(chat\): first token after \d+ ms .*tokens\/s, window 8192/,
      );
      assert.match(
        stdout,
        /^ok +nomic-embed-text \(embedding\): a vector of 64 numbers in \d+ ms$/m,
      );
    });

    it('fails where one of them does not answer, and still checks the other', async () => {
      ollama.models = ['nomic-embed-text:latest'];
      const { code, stdout } = await run('check', '--json');
      assert.equal(code, 1);
      const { models } = JSON.parse(stdout) as {
        models: { use: string; ok: boolean; reason: string | null; dimension?: number }[];
      };
      assert.deepEqual(
        models.map(({ use, ok }) => [use, ok]),
        [
          ['chat', false],
          ['embedding', true],
        ],
      );
      assert.match(models[0]?.reason ?? '', /ollama pull llama3\.2/);
      assert.equal(models[1]?.dimension, 64);
    });
  });
});
