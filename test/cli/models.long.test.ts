import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.js';
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

  /** A model that follows the rules in English and Spanish, but not in German. */
  const answer: OllamaStandIn['answer'] = (messages) => {
    const asked = /<question>(.*)<\/question>/s.exec(messages.at(-1)?.content ?? '')?.[1] ?? '';
    if (asked.startsWith('When')) return 'The service desk is open from 9:00 to 17:30 [1].';
    if (asked.startsWith('¿')) return 'La bomba tiene una garantía de dos años [2].';
    return 'The filter is cleaned every four weeks.';
  };

  describe('list', () => {
    it('shows installed, loaded and missing models', async () => {
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

    it('prints one JSON document with --json', async () => {
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

    it('fails with one sentence if no Ollama answers', async () => {
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

    it('pulls the missing configured models, and reports each step once', async () => {
      ollama.models = ['llama3.2:latest'];
      const { code, stdout, stderr } = await run('pull');
      assert.equal(code, 0);
      assert.deepEqual(pulls(), ['nomic-embed-text']);
      assert.equal(stdout, 'nomic-embed-text is there.\n');
      assert.equal(stderr.match(/pulling dde5aa3fc5ff/g)?.length, 1);
      const again = await run('pull');
      assert.match(again.stdout, /All configured models are installed/);
      assert.equal(pulls().length, 1);
    });

    it('pulls the named models, and prints JSON lines with --json', async () => {
      const { code, stdout, stderr } = await run('pull', 'qwen3:8b', '--json');
      assert.deepEqual([code, stderr], [0, '']);
      const all = lines(stdout);
      assert.ok(all.length > 2 && all.slice(0, -1).every(({ type }) => type === 'progress'));
      assert.deepEqual(all.at(-1), { type: 'done', model: 'qwen3:8b', ok: true, reason: null });
    });

    it('draws a progress bar at a terminal', async () => {
      const command = `"${process.execPath}" "${program}" models pull qwen3`;
      const terminal = openPseudoTerminal(command, installation.folder, env);
      assert.equal(await terminal.ended, 0);
      assert.match(terminal.screen(), /\[#+\.*\] \d+\/2019 MB.*qwen3/);
    });

    it('exits with 1 if no model was pulled, and with 5 if some were', async () => {
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

    it('ends at Ctrl-C, and can be continued', async () => {
      ollama.pullEnds = 'silent';
      const pulling = installation.start(['models', 'pull', 'qwen3', '--json'], env);
      await pulling.until(/pulling manifest/);
      pulling.child.kill('SIGINT');
      const { code, stderr } = await pulling.ended;
      assert.equal(code, 1);
      assert.match(stderr, /Run the same command again to continue/);
      await ollama.until(() => ollama.aborted === 1);
      ollama.pullEnds = undefined;
      assert.equal((await run('pull', 'qwen3')).code, 0);
    });
  });

  describe('check', () => {
    it('reports the speed of each model, its citations and its languages', async () => {
      ollama.answer = answer;
      const { code, stdout } = await run('check');
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^ok +llama3\.2 \(chat\): first token after \d+ ms .*tokens\/s, window 8192/,
      );
      const follows = (language: string) =>
        `^ +${language}: first word after \\d+ ms, .*cites its source, answers in ${language}$`;
      assert.match(stdout, new RegExp(follows('English'), 'm'));
      assert.match(stdout, new RegExp(follows('Spanish'), 'm'));
      assert.match(stdout, /^ +German: .*does not cite its source, does not answer in German$/m);
      assert.match(
        stdout,
        /^ok +nomic-embed-text \(embedding\): a vector of 64 numbers in \d+ ms$/m,
      );
    });

    it('fails for a model that never cites, and still shows its figures', async () => {
      ollama.answer = () => 'The service desk is open from 9:00 to 17:30.';
      const { code, stdout } = await run('check', 'llama3.2');
      assert.equal(code, 1);
      assert.match(stdout, /^failed +llama3\.2: it cites no source .* assistant models choose$/m);
      assert.match(stdout, /^ +first token after \d+ ms .*tokens\/s, window 8192/m);
      assert.match(stdout, /^ +English: .*does not cite its source, answers in English$/m);
      const { models } = JSON.parse((await run('check', 'llama3.2', '--json')).stdout) as {
        models: { ok: boolean; reason: string; questions: { cites: boolean }[] }[];
      };
      assert.equal(models[0]?.ok, false);
      assert.deepEqual(
        models[0].questions.map(({ cites }) => cites),
        [false, false, false],
      );
    });

    it('uses the prompt of real questions, with passages', async () => {
      await run('check', 'llama3.2');
      const [, first] = ollama.chats;
      assert.match(first?.messages[0]?.content ?? '', /You answer questions from its approved/);
      assert.match(first?.messages.at(-1)?.content ?? '', /<passage number="3" title="Filter/);
    });

    it('checks models that are not configured, each in its use', async () => {
      ollama.answer = answer;
      ollama.models = ['qwen3:4b', 'bge-m3:latest'];
      const { stdout } = await run('check', 'qwen3:4b', 'bge-m3', '--json');
      const { models } = JSON.parse(stdout) as {
        models: {
          model: string;
          use: string;
          ok: boolean;
          questions?: Record<string, unknown>[];
        }[];
      };
      assert.deepEqual(
        models.map(({ model, use, ok }) => [model, use, ok]),
        [
          ['qwen3:4b', 'chat', true],
          ['bge-m3', 'embedding', true],
        ],
      );
      assert.deepEqual(
        models[0]?.questions?.map(({ language, cites, in_language }) => [
          language,
          cites,
          in_language,
        ]),
        [
          ['English', true, true],
          ['Spanish', true, true],
          ['German', false, false],
        ],
      );
    });

    it('fails if one model does not answer, and still checks the other', async () => {
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

  describe('choose', () => {
    const pulls = () => ollama.requests.filter(({ path }) => path === '/api/pull');

    it('pulls nothing without a terminal, and names the commands', async () => {
      ollama.models = [];
      const { code, stdout } = await run('choose');
      assert.equal(code, 0);
      assert.match(
        stdout,
        /^This machine has \d+ GB of memory and \d+ cores\. Ollama tells of a GPU/,
      );
      assert.match(stdout, /^bge-m3 +embedding +1\.2 GB/m);
      assert.match(stdout, /assistant models pull \S+ \S+$/m);
      assert.match(stdout, /Nothing of it was measured here/);
      const { machine, models } = await installation.json<{
        machine: { has_gpu: boolean | null };
        models: { name: string; installed: boolean; size_gb: number }[];
      }>(['models', 'choose'], { env });
      assert.equal(machine.has_gpu, null);
      assert.ok(models.every(({ installed, size_gb }) => !installed && size_gb > 0));
      assert.equal(pulls().length, 0);
    });

    it('shows whether Ollama uses a GPU', async () => {
      ollama.loaded = [{ name: 'llama3.2:latest', numCtx: 8192 }];
      assert.match((await run('choose')).stdout, /Ollama uses a GPU/);
      ollama.gpuShare = 0;
      assert.match((await run('choose')).stdout, /Ollama uses no GPU/);
    });
  });

  describe('at a terminal', () => {
    const down = '\u001b[B';
    let opened: PseudoTerminal | undefined;
    const open = (args: string, given: Record<string, string> = {}) =>
      (opened = openPseudoTerminal(
        `"${process.execPath}" "${program}" ${args}`,
        installation.folder,
        { ASSISTANT_OLLAMA_URL: ollama.url, ...given },
      ));
    afterEach(() => opened?.close());
    const config = () => readFile(join(installation.folder, 'config.yaml'), 'utf8');

    it('pulls the chosen model, shows its figures, and configures it after a question', async () => {
      ollama.models = [];
      ollama.answer = answer;
      await cp(
        join(packageRoot(), 'config.example.yaml'),
        join(installation.folder, 'config.yaml'),
      );
      const terminal = open('models choose');
      await terminal.shows(/Which model to write answers\?/);
      terminal.type('\r');
      await terminal.shows(/ok +\S+ \(chat\): first token after [^]*German: [^]*Use \S+\?/);
      assert.doesNotMatch(await config(), /chat_model: llama3\.2:1b|chat_model: [qg]/);
      const [chosen = ''] = ollama.models;
      terminal.type('\r');
      await terminal.shows(
        /ollama\.chat_model is \S+ now[^]*Which model to find passages by meaning\?/,
      );
      terminal.type(`${down}${down}${down}\r`);
      assert.equal(await terminal.ended, 0);
      assert.deepEqual(ollama.models, [chosen]);
      const before = await readFile(join(packageRoot(), 'config.example.yaml'), 'utf8');
      const name = chosen.replace(/:latest$/, '');
      assert.equal(
        await config(),
        before.replace('chat_model: llama3.2\n', `chat_model: ${name}\n`),
      );
    });

    it('offers models in doctor if a configured model is missing', async () => {
      ollama.models = [];
      const terminal = open('doctor --quick');
      await terminal.shows(/Ollama lacks \S+\. See which models fit, and pull one\?/);
      terminal.type('n\r');
      await terminal.ended;
      assert.deepEqual(ollama.models, []);
    });

    it('offers no models in init --yes, which names the command', async () => {
      ollama.models = [];
      const terminal = open('init --yes --email ada@acme.example --domain a.example', {
        ASSISTANT_PASSWORD: 'correct horse',
      });
      assert.equal(await terminal.ended, 0);
      assert.match(terminal.screen(), /Run: assistant models pull/);
      assert.doesNotMatch(terminal.screen(), /See which models fit/);
      assert.deepEqual(ollama.models, []);
    });

    it('stops a pull at Ctrl-C, which can be continued', async () => {
      ollama.models = [];
      ollama.pullEnds = 'silent';
      const terminal = open('models choose');
      await terminal.shows(/Which model to write answers\?/);
      terminal.type('\r');
      await ollama.until(() => ollama.requests.some(({ path }) => path === '/api/pull'));
      terminal.type('\u0003');
      assert.equal(await terminal.ended, 1);
      assert.match(terminal.screen(), /Interrupted\. Run the same command again/);
      await ollama.until(() => ollama.aborted === 1);
    });

    it('offers models at the end of init', async () => {
      ollama.models = [];
      const terminal = open('init');
      await terminal.shows(/Ollama lacks \S+\. See which models fit, and pull one\?/);
      terminal.type('y\r');
      await terminal.shows(/Which model to write answers\?/);
      terminal.type('\u0003');
      assert.equal(await terminal.ended, 130);
      assert.deepEqual(ollama.models, []);
    });
  });
});
