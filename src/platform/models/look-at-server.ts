import type { IncomingMessage, RequestOptions } from 'node:http';
import type { Ollama } from 'ollama';
import { explainFailure } from './explain-failure.js';
import { ModelError } from './model-error.js';
import { parseOllamaAddress } from './ollama-address.js';
import { HttpFailure } from './ollama-transport.js';
import { createStatusReader, type OllamaStatus } from './server-status.js';

/**
 * The state of the Ollama server, as OllamaClient.status() has it, for a command that ends in a moment: the ollama
 * package and undici take longer to load than the question takes. Never rejects. Refuses an invalid `url` with
 * invalid_config.
 */
export function lookAtServer(
  { url, chat_model: model }: { url: string; chat_model: string },
  timeoutMs: number,
): { base: string; status: Promise<OllamaStatus> } {
  const { base, authorization } = parseOllamaAddress(url);
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = authorization === undefined ? {} : { authorization };
  const get = (path: string) => getJson(new URL(`${base}${path}`), { headers, signal });
  const ollama = { version: () => get('/api/version'), list: () => get('/api/tags') };
  const reader = createStatusReader(
    (question) =>
      question(ollama as unknown as Ollama).catch((error: unknown) => {
        const late = `Ollama at ${base} did not answer within ${timeoutMs / 1000} s. See what keeps it: assistant doctor`;
        throw signal.aborted
          ? new ModelError('too_slow', late)
          : explainFailure(error, { base, model });
      }),
    () => undefined,
    model,
    0,
  );
  return { base, status: reader.read() };
}

/** In bytes; longer than any list of models. */
const longestAnswer = 4 * 1024 ** 2;

async function getJson(url: URL, options: RequestOptions): Promise<unknown> {
  const { get } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const text = await new Promise<string>((resolve, reject) => {
    const asked = get(url, { ...options, agent: false });
    asked.once('error', reject);
    asked.once('response', (response: IncomingMessage) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
        if (body.length > longestAnswer) asked.destroy(new SyntaxError('too long'));
      });
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve(body);
        else reject(new HttpFailure(response.statusCode ?? 0, undefined));
      });
    });
  });
  return JSON.parse(text);
}
