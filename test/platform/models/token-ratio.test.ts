import assert from 'node:assert/strict';
import { storedTokenRatios } from '../../../src/platform/models/model-facts.repository.js';
import { createTokenRatios, type StoredRatio } from '../../../src/platform/models/token-ratio.js';
import { startOllamaStandIn } from '../../support/ollama-stand-in.js';
import { openTestApp } from '../../support/test-app.js';

describe('The characters per token of a model', () => {
  /** The learned ratio after prompts with these ratios. */
  const after = (...seen: number[]) => {
    const ratios = createTokenRatios();
    for (const ratio of seen) ratios.learn('llama3.2', 10_000, Math.round(10_000 / ratio));
    return ratios.charactersPerToken('llama3.2');
  };
  const times = (count: number, ratio: number) => Array.from({ length: count }, () => ratio);

  it('are 2.5 for an unknown model', () => {
    assert.equal(createTokenRatios().charactersPerToken('new'), 2.5);
  });

  it('approach the server’s count from below', () => {
    const ratio = after(...times(20, 4));
    assert.ok(ratio > 3.7 && ratio <= 4, String(ratio));
  });

  it('follow the dense prompts among others', () => {
    const mixed = times(50, 4.2).map((ratio, index) => (index % 5 === 4 ? 2.8 : ratio));
    const ratio = after(...mixed);
    assert.ok(ratio < 3.2 && ratio > 2.5, String(ratio));
  });

  it('fall at once after a denser prompt', () => {
    assert.ok(after(...times(50, 4), 1.5) < 2.1);
  });

  it('stay within bounds for any count of the server', () => {
    assert.ok(after(...times(100, 5.9)) <= 4.5);
    assert.ok(after(...times(100, 0.01)) >= 1);
    const ratios = createTokenRatios();
    for (const tokens of [0, -1, NaN, Infinity]) ratios.learn('m', 10_000, tokens);
    assert.equal(ratios.charactersPerToken('m'), 2.5);
  });

  it('do not change after a short or a cached prompt', () => {
    const ratios = createTokenRatios();
    ratios.learn('m', 100, 20);
    ratios.learn('m', 10_000, 12);
    assert.equal(ratios.charactersPerToken('m'), 2.5);
  });

  it('are the same for each name of a model, but not for another tag', () => {
    const ratios = createTokenRatios();
    ratios.learn('Llama3.2', 10_000, 2500);
    assert.ok(ratios.charactersPerToken('llama3.2:latest') > 2.5);
    assert.equal(ratios.charactersPerToken('llama3.2:1b'), 2.5);
  });

  it('are stored after a clear change, not after each prompt', async () => {
    const written: StoredRatio[] = [];
    const ratios = createTokenRatios();
    const write = (ratio: StoredRatio) => Promise.resolve(void written.push(ratio));
    await ratios.remember({ read: () => Promise.resolve([]), write });
    for (let prompt = 0; prompt < 500; prompt += 1) ratios.learn('m', 10_000, 2500);
    await ratios.settled();
    assert.ok(written.length > 3 && written.length < 15, String(written.length));
    assert.equal(written[0]?.model, 'm:latest');
  });

  it('are learned from a chat and available to the next process', async () => {
    const ollama = await startOllamaStandIn();
    const test = await openTestApp({ ollama: { url: ollama.url } });
    const { app } = test;
    const content = 'The pump takes setting four. '.repeat(40);
    await app.models.chat({ messages: [{ role: 'user', content }] });
    const learned = app.models.tokens.charactersPerToken('llama3.2');
    assert.ok(learned > 2.5 && learned < 4, String(learned));
    await app.models.tokens.settled();
    const next = createTokenRatios();
    await next.remember(storedTokenRatios(app));
    assert.equal(next.charactersPerToken('llama3.2'), learned);
    await test.close();
    await ollama.stop();
  });

  it('are learned even if they can’t be stored', async () => {
    const ratios = createTokenRatios();
    const write = () => Promise.reject(new Error('the disk is full'));
    await ratios.remember({ read: () => Promise.resolve([]), write });
    ratios.learn('m', 10_000, 2500);
    await ratios.settled();
    assert.ok(ratios.charactersPerToken('m') > 2.5);
  });
});
