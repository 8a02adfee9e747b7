import assert from 'node:assert/strict';
import { ModelError } from '../../../src/platform/models/model-error.js';
import {
  createOllamaClient,
  type OllamaClient,
  type OllamaSettings,
} from '../../../src/platform/models/ollama-client.js';
import {
  startOllamaStandIn,
  type OllamaStandIn,
  type StandInBehaviour,
} from '../../support/ollama-stand-in.js';

export const messages = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'Why?' },
];

/** A stand-in and a client for it, both closed after the test. Call it inside a describe. */
export function clients() {
  const closing: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  return async function open(
    behaviour: Partial<StandInBehaviour> = {},
    settings: Partial<OllamaSettings> = {},
  ): Promise<{ ollama: OllamaStandIn; client: OllamaClient }> {
    const ollama = await startOllamaStandIn(behaviour);
    const client = createOllamaClient({
      url: ollama.url,
      chatModel: 'llama3.2',
      numCtx: 8192,
      keepAlive: '5m',
      firstTokenTimeoutMs: 10_000,
      idleTimeoutMs: 10_000,
      totalTimeoutMs: 20_000,
      concurrency: 2,
      busyRetryMs: 1,
      ...settings,
    });
    closing.push(
      () => client.close(),
      () => ollama.stop(),
    );
    return { ollama, client };
  };
}

/** The error of a chat that must fail. */
export async function failureOf(chat: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await chat.then(
    () => assert.fail('it answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ModelError, String(error));
  assert.equal(error.code, 'model_unavailable');
  return error;
}
