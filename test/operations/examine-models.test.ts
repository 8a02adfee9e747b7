import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { Check } from '../../src/operations/doctor.schema.js';
import {
  examineModels,
  judgeServer,
  type ModelExamination,
} from '../../src/operations/examine-models.js';
import { configSchema } from '../../src/platform/config/schema.js';
import { lookAtServer } from '../../src/platform/models/look-at-server.js';
import {
  startOllamaStandIn,
  type OllamaStandIn,
  type StandInBehaviour,
} from '../support/ollama-stand-in.js';
import type { ConfigInput } from '../support/test-app.js';

describe('The model check of `assistant doctor`', () => {
  const running: OllamaStandIn[] = [];
  afterEach(() => Promise.all(running.splice(0).map((ollama) => ollama.stop())));

  const withVectors = { ollama: { embedding_model: 'nomic-embed-text' } };
  const start = async (behaviour: Partial<StandInBehaviour> = {}) => {
    const ollama = await startOllamaStandIn(behaviour);
    running.push(ollama);
    return ollama;
  };
  const look = (url: string, config: ConfigInput = {}, options: ModelExamination = {}) =>
    examineModels(configSchema.parse({ ...config, ollama: { url, ...config.ollama } }), {
      inContainer: false,
      ...options,
    });
  const examine = async (
    behaviour: Partial<StandInBehaviour>,
    config: ConfigInput = {},
    options: ModelExamination = {},
  ) => look((await start(behaviour)).url, config, options);
  /** The one finding that is not ok, with its remedy in one line. */
  const theFinding = (checks: Check[]) => {
    const found = checks.filter(({ status }) => status !== 'ok');
    assert.equal(found.length, 1, JSON.stringify(checks, null, 1));
    const [check] = found;
    assert.ok(check?.remedy !== undefined && !check.remedy.includes('\n'));
    return { ...check, remedy: check.remedy };
  };

  it('reports no problem if the models, the context window and the memory are right', async () => {
    const checks = await examine({}, withVectors);
    assert.deepEqual(
      checks.map(({ name, status }) => `${status} ${name}`),
      ['ok ollama', 'ok chat model', 'ok embedding model', 'ok window', 'ok memory'],
    );
  });

  it('reports that no Ollama server answers, and how to start one', async () => {
    const ollama = await start();
    await ollama.stop();
    const { name, status, remedy } = theFinding(await look(ollama.url));
    assert.deepEqual([name, status], ['ollama', 'warning']);
    assert.match(remedy, /refused.*ollama serve/);
    const strict = await look(ollama.url, { answers: { mode: 'ollama' } });
    assert.equal(theFinding(strict).status, 'failed');
  });

  it('explains how to reach a server of the host from a container', async () => {
    const ollama = await start();
    await ollama.stop();
    const { remedy } = theFinding(await look(ollama.url, {}, { inContainer: true }));
    assert.match(remedy, /host\.docker\.internal:11434/);
    assert.match(remedy, /OLLAMA_HOST=0\.0\.0\.0/);
    assert.match(remedy, /--network host/);
  });

  it('reports a local server that accepts the connection but does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const config = configSchema.parse({ ollama: { url } });
    const { base, status } = lookAtServer(config.ollama, 100);
    const [check] = judgeServer(config, base, await status, { inContainer: true });
    silent.close();
    assert.match(check?.remedy ?? '', /did not answer within 0\.1 s/);
  });

  it('explains how to let Ollama on another machine accept outside connections', async () => {
    const { remedy } = theFinding(await look('http://no-such-host.invalid:11434'));
    assert.match(remedy, /OLLAMA_HOST=0\.0\.0\.0 ollama serve/);
  });

  it('reports a proxy with no Ollama server behind it, even in a container', async () => {
    const checks = await examine({ proxyStatus: 502 }, {}, { inContainer: true });
    assert.match(theFinding(checks).remedy, /A proxy answers.*no Ollama server behind it/);
  });

  it('reports that another program answers at the address of Ollama', async () => {
    const { remedy } = theFinding(await examine({ proxyStatus: 200 }, {}, { inContainer: true }));
    assert.match(remedy, /not an Ollama server.*ollama\.url/);
  });

  it('reports an Ollama version older than 0.5.0', async () => {
    const { finding, remedy } = theFinding(await examine({ version: '0.3.14' }));
    assert.match(finding, /0\.3\.14/);
    assert.match(remedy, /update it to 0\.5\.0/);
    for (const version of ['0.5.0', '0.12.3', '1.0.0', '0.0.0', '0.6.0-rc1']) {
      const checks = await examine({ version }, {}, { quick: true });
      assert.ok(
        checks.every(({ status }) => status === 'ok'),
        version,
      );
    }
  });

  it('reports a chat model that is not pulled, and the command that pulls it', async () => {
    const checks = await examine({ models: ['nomic-embed-text:latest'] }, withVectors);
    const { name, remedy } = theFinding(checks);
    assert.equal(name, 'chat model');
    assert.match(remedy, /assistant models pull.*ollama pull llama3\.2/);
  });

  it('reports an embedding model that is not pulled, and the command that pulls it', async () => {
    const { name, status, remedy } = theFinding(
      await examine({ models: ['llama3.2:latest'] }, withVectors),
    );
    assert.deepEqual([name, status], ['embedding model', 'warning']);
    assert.match(remedy, /ollama pull nomic-embed-text/);
  });

  it('reports a model that cannot do the task it is set for', async () => {
    const chat = await examine({}, { ollama: { chat_model: 'nomic-embed-text' } }, { quick: true });
    assert.match(theFinding(chat).finding, /is no chat model: it can do embedding/);
    const config = { ollama: { embedding_model: 'llama3.2:latest', chat_model: 'llama3.2' } };
    assert.match(theFinding(await examine({}, config, { quick: true })).remedy, /nomic-embed-text/);
  });

  it('reports a context window that is larger than the model supports', async () => {
    const checks = await examine({ contextLength: 16_384 }, { ollama: { num_ctx: 32_768 } });
    const { finding, remedy } = theFinding(checks);
    assert.match(finding, /num_ctx is 32768, but llama3\.2 can do 16384/);
    assert.match(remedy, /Set ollama\.num_ctx to 16384/);
  });

  it('reports a context window that is too small for the passages of an answer', async () => {
    const { finding, remedy } = theFinding(await examine({}, { ollama: { num_ctx: 4096 } }));
    assert.match(finding, /4096 tokens, too few for 6 passages/);
    assert.match(remedy, /Set ollama\.num_ctx to \d+, or answers\.max_passages to 3/);
    const model = theFinding(await examine({ contextLength: 4096 }));
    assert.match(model.remedy, /Use a model with a longer window/);
  });

  it('reports that the chat and embedding models do not fit into memory together', async () => {
    const { finding, remedy } = theFinding(await examine({ memoryFor: 1 }, withVectors));
    assert.match(finding, /llama3\.2 and nomic-embed-text push each other out/);
    assert.match(remedy, /OLLAMA_MAX_LOADED_MODELS=2/);
  });

  it('reports that another program loaded the model with a different context window', async () => {
    const ollama = await start();
    ollama.loaded = [{ name: 'llama3.2:latest', numCtx: 4096 }];
    const { finding, remedy } = theFinding(await look(ollama.url));
    assert.match(finding, /window of 4096 tokens, not 8192/);
    assert.match(remedy, /same num_ctx/);
  });

  it('reports that the server loaded the model with a smaller context window than requested', async () => {
    const { finding } = theFinding(await examine({ forcedNumCtx: 2048 }));
    assert.match(finding, /asked for with a window of 8192 tokens and was given 2048/);
  });

  it('reports a model that only partly fits on the GPU', async () => {
    const { finding } = theFinding(await examine({ gpuShare: 0.4 }));
    assert.match(finding, /only 40 %/);
    assert.ok(
      (await examine({ gpuShare: 0 })).every(({ status }) => status === 'ok'),
      'no GPU',
    );
  });

  it('reports a model that can’t be loaded, with the server’s reason', async () => {
    const refuse = { status: 500, reason: 'model requires more system memory (9.1 GiB)' };
    const { remedy } = theFinding(await examine({ refuse }));
    assert.match(remedy, /more system memory \(9\.1 GiB\)/);
  });

  it('reports no problem without Ollama if the settings use no model', async () => {
    const plain = { answers: { mode: 'extractive' }, ingestion: { entries: 'sections' } } as const;
    const checks = await look('http://127.0.0.1:9', plain);
    assert.deepEqual(
      checks.map(({ status }) => status),
      ['ok'],
    );
    const withVectors = { ...plain, ollama: { embedding_model: 'nomic-embed-text' } };
    theFinding(await look('http://127.0.0.1:9', withVectors));
  });

  it('loads no model in quick mode, and otherwise announces the loading', async () => {
    const ollama = await start({ memoryFor: 1 });
    const announced: string[] = [];
    const onLong = (what: string) => void announced.push(what);
    await look(ollama.url, withVectors, { quick: true, onLong });
    assert.deepEqual(ollama.loaded, []);
    assert.deepEqual(announced, []);
    await look(ollama.url, withVectors, { onLong });
    assert.match(announced.join(), /^Loading the models[^,]*, to see/);
  });
});
