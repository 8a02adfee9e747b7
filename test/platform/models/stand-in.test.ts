import assert from 'node:assert/strict';
import { Ollama } from 'ollama';
import { startOllamaStandIn, type OllamaStandIn } from '../../support/ollama-stand-in.js';

describe('The test stand-in for Ollama, used by the ollama package', () => {
  let standIn: OllamaStandIn;
  let ollama: Ollama;

  beforeEach(async () => {
    standIn = await startOllamaStandIn();
    ollama = new Ollama({ host: standIn.url });
  });

  afterEach(() => standIn.stop());

  it('answers a chat without streaming in one object', async () => {
    const messages = [{ role: 'user', content: 'x' }];
    const answer = await ollama.chat({ model: 'llama3.2', messages });
    assert.equal(answer.message.content, 'This is the answer of the stand-in.');
    assert.equal(answer.done_reason, 'stop');
  });

  it('loads a model for a chat without messages', async () => {
    const answer = await ollama.chat({ model: 'llama3.2', messages: [] });
    assert.equal(answer.done_reason, 'load');
  });

  it('returns a vector for each input, and the same one for similar inputs', async () => {
    const input = ['Reset the password', 'reset the PASSWORD', 'Something else'];
    const { embeddings } = await ollama.embed({ model: 'nomic-embed-text', input });
    assert.equal(embeddings.length, 3);
    assert.deepEqual(embeddings[0], embeddings[1]);
    assert.notDeepEqual(embeddings[0], embeddings[2]);
  });

  it('has a model after it is pulled', async () => {
    await assert.rejects(ollama.show({ model: 'qwen3' }), /not found/);
    const statuses: string[] = [];
    for await (const step of await ollama.pull({ model: 'qwen3', stream: true })) {
      statuses.push(step.status);
    }
    assert.equal(statuses.at(-1), 'success');
    assert.deepEqual((await ollama.show({ model: 'qwen3' })).capabilities, ['completion']);
    assert.ok((await ollama.list()).models.some((model) => model.name === 'qwen3:latest'));
  });

  it('keeps the last used models in memory, as many as fit', async () => {
    standIn.memoryFor = 1;
    await ollama.chat({ model: 'llama3.2', messages: [], options: { num_ctx: 2048 } });
    const loaded = async () => (await ollama.ps()).models.map(({ name }) => name);
    assert.deepEqual(await loaded(), ['llama3.2:latest']);
    await ollama.embed({ model: 'nomic-embed-text', input: 'x' });
    assert.deepEqual(await loaded(), ['nomic-embed-text:latest']);
  });
});
