import assert from 'node:assert/strict';
import { ModelError } from '../../../src/platform/models/model-error.js';
import {
  createOllamaClient,
  type OllamaClient,
  type OllamaSettings,
} from '../../../src/platform/models/ollama-client.js';
import { meaningOf } from '../../support/ollama-stand-in-embeddings.js';
import { startOllamaStandIn, type OllamaStandIn } from '../../support/ollama-stand-in.js';
import { prefixesOf } from '../../../src/platform/models/embed.js';

interface EmbedBody {
  model: string;
  input: string[];
  truncate: boolean;
  keep_alive: string;
}

describe('Embedding texts', () => {
  let ollama: OllamaStandIn;
  let client: OllamaClient;

  const open = (settings: Partial<OllamaSettings> = {}) => {
    client = createOllamaClient({
      url: ollama.url,
      chatModel: 'llama3.2',
      numCtx: 8192,
      keepAlive: '5m',
      firstTokenTimeoutMs: 5000,
      idleTimeoutMs: 5000,
      totalTimeoutMs: 5000,
      concurrency: 2,
      busyRetryMs: 1,
      embeddingModel: 'all-minilm',
      embeddingBatch: 3,
      ...settings,
    });
  };
  const bodies = () =>
    ollama.requests
      .filter(({ path }) => path === '/api/embed')
      .map(({ body }) => body as EmbedBody);
  const failureOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => assert.fail('it was to fail'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ModelError, String(error));
    return error;
  };

  beforeEach(async () => {
    ollama = await startOllamaStandIn({
      models: ['all-minilm:latest', 'nomic-embed-text:latest', 'mxbai-embed-large:latest'],
      embed: meaningOf({ dimension: 32 }),
    });
    open();
  });
  afterEach(async () => {
    await client.close();
    await ollama.stop();
  });

  it('returns one vector of length 1 for each text in order, and sends the texts in batches', async () => {
    const input = Array.from({ length: 7 }, (_, index) => `text number ${index}`);
    const answer = await client.embed({ input, kind: 'passage' });
    assert.deepEqual(
      bodies().map((body) => body.input.length),
      [3, 3, 1],
    );
    assert.equal(answer.dimension, 32);
    assert.match(answer.digest, /^sha256:/);
    assert.equal(answer.vectors.length, 7);
    for (const vector of answer.vectors) assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-5);
    const [third] = (await client.embed({ input: ['text number 2'], kind: 'passage' })).vectors;
    assert.deepEqual(answer.vectors[2], third);
    assert.equal(bodies()[0]?.keep_alive, '5m');
  });

  it('adds the prefixes that the model family was trained with', async () => {
    for (const kind of ['query', 'passage'] as const) {
      for (const model of ['nomic-embed-text', 'mxbai-embed-large', 'all-minilm']) {
        await client.embed({ input: ['tea'], kind, model });
      }
    }
    assert.deepEqual(
      bodies().map(({ input }) => input[0]),
      [
        'search_query: tea',
        'Represent this sentence for searching relevant passages: tea',
        'tea',
        'search_document: tea',
        'tea',
        'tea',
      ],
    );
    for (const e5 of ['multilingual-e5-large', 'jeffh/intfloat-multilingual-e5-base:f16', 'e5']) {
      assert.deepEqual(prefixesOf(e5), { query: 'query: ', passage: 'passage: ' }, e5);
    }
    assert.equal(prefixesOf('snowflake-arctic-embed2').query, 'query: ');
    assert.match(prefixesOf('snowflake-arctic-embed:335m').query, /^Represent/);
    assert.deepEqual(prefixesOf('bge-m3'), { query: '', passage: '' });
    assert.match(prefixesOf('bge-large').query, /^Represent/);
  });

  it('adds the prefixes of the settings instead, but only for the model of the settings', async () => {
    await client.close();
    open({ embeddingModel: 'nomic-embed-text', embeddingQueryPrefix: 'frage: ' });
    await client.embed({ input: ['tea'], kind: 'query' });
    await client.embed({ input: ['tea'], kind: 'passage' });
    await client.embed({ input: ['tea'], kind: 'query', model: 'mxbai-embed-large' });
    const texts = bodies().map(({ input }) => input[0]);
    assert.deepEqual(texts.slice(0, 2), ['frage: tea', 'search_document: tea']);
    assert.match(texts[2] ?? '', /^Represent/);
  });

  it('splits only texts that are too long for the model, and returns a similar vector', async () => {
    ollama.embedContext = 40;
    const long = 'the invoice is sent to the customer every month. '.repeat(12);
    const input = ['a dog', long, 'a car'];
    const { vectors } = await client.embed({ input, kind: 'passage' });
    ollama.embedContext = undefined;
    const whole = (await client.embed({ input, kind: 'passage' })).vectors;
    assert.deepEqual(vectors[0], whole[0]);
    assert.deepEqual(vectors[2], whole[2]);
    const [one, other] = [vectors[1], whole[1]];
    assert.ok(one !== undefined && other !== undefined);
    const cosine = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
    assert.ok(cosine > 0.95, `cosine ${cosine}`);
    assert.ok(bodies().some(({ truncate }) => !truncate));
  });

  it('accepts a text that is too long and can’t be split', async () => {
    ollama.embedContext = 2;
    const { vectors } = await client.embed({
      input: ['a word of thirteen letters'],
      kind: 'query',
    });
    assert.equal(vectors.length, 1);
  });

  it('waits for a busy server, and gives up if it stays busy', async () => {
    ollama.embedBusy = 2;
    const { vectors } = await client.embed({ input: ['tea'], kind: 'query' });
    assert.equal(vectors.length, 1);
    ollama.embedBusy = 100;
    assert.equal(
      (await failureOf(client.embed({ input: ['tea'], kind: 'query' }))).failure,
      'busy',
    );
  });

  it('refuses replies without one finite vector for each text', async () => {
    for (const fault of ['count', 'infinite', 'null', 'zeros', 'no list'] as const) {
      ollama.embedFault = fault;
      const error = await failureOf(client.embed({ input: ['tea', 'milk'], kind: 'passage' }));
      assert.match(error.message, /no usable vectors|is not an Ollama server/, fault);
    }
  });

  it('refuses vectors of different lengths', async () => {
    const short = meaningOf({ dimension: 8 });
    const long = meaningOf({ dimension: 16 });
    ollama.embed = (text) => (text === 'milk' ? short : long)(text);
    const input = ['tea', 'sugar', 'lemon', 'milk'];
    const error = await failureOf(client.embed({ input, kind: 'passage' }));
    assert.equal(error.failure, 'refused');
  });

  it('names a missing model and the command that pulls it, or the missing setting', async () => {
    const error = await failureOf(client.embed({ input: ['x'], kind: 'query', model: 'none' }));
    assert.equal(error.failure, 'model_missing');
    assert.match(error.message, /ollama pull none/);
    await client.close();
    open({ embeddingModel: '' });
    const unset = await failureOf(client.embed({ input: ['x'], kind: 'query' }));
    assert.match(unset.message, /ollama\.embedding_model/);
  });

  it('refuses vectors of a model that was replaced during the request', async () => {
    const names = ollama.requests;
    ollama.embed = (text) => {
      ollama.digests['all-minilm:latest'] = `sha256:${names.length}`;
      return meaningOf({ dimension: 32 })(text);
    };
    const error = await failureOf(client.embed({ input: ['tea'], kind: 'passage' }));
    assert.match(error.message, /replaced/);
  });

  it('ends after a time limit if the server hangs, and at once if the caller or the program stops', async () => {
    ollama.embedStalls = true;
    await client.close();
    open({ embeddingTimeoutMs: 50 });
    const slow = await failureOf(client.embed({ input: ['tea'], kind: 'query' }));
    assert.equal(slow.failure, 'too_slow');
    await client.close();
    open();
    const cancel = new AbortController();
    const cancelled = client.embed({ input: ['tea'], kind: 'query', signal: cancel.signal });
    cancel.abort(new Error('gone'));
    await assert.rejects(cancelled, /gone/);
    const closing = client.embed({ input: ['tea'], kind: 'query' });
    const closed = assert.rejects(closing, { code: 'shutting_down' });
    await client.close();
    await closed;
  });

  it('reports that no Ollama server answers', async () => {
    ollama.proxyStatus = 502;
    const proxy = await failureOf(client.embed({ input: ['tea'], kind: 'query' }));
    assert.equal(proxy.failure, 'not_running');
    await ollama.stop();
    const down = await failureOf(client.embed({ input: ['tea'], kind: 'query' }));
    assert.equal(down.failure, 'not_running');
  });
});
