import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
export type { StandInBehaviour, StandInChat, StandInMessage } from './ollama-stand-in-behaviour.js';
import {
  defaultBehaviour,
  type StandInBehaviour,
  type StandInChat,
} from './ollama-stand-in-behaviour.js';
import { answerEmbed, type StandInEmbed } from './ollama-stand-in-embeddings.js';
import {
  countTokens,
  describeLoaded,
  describeModel,
  durations,
  passing,
  readJson,
  sendJson,
  stopServer,
  withTag,
  type StandInLoaded,
} from './ollama-stand-in-answers.js';

export interface StandInRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export interface OllamaStandIn extends StandInBehaviour {
  url: string;
  /** All requests, in order. */
  requests: StandInRequest[];
  /** The bodies of the chat requests. */
  chats: StandInChat[];
  /** Models in memory, with the last used one at the end. */
  loaded: StandInLoaded[];
  /** The number of clients that left before their answer was complete. */
  aborted: number;
  /** The number of running chats, and its maximum. */
  running: number;
  mostRunning: number;
  /** Resolves once `condition` holds. It is checked after each request and after each client that leaves. */
  until(condition: () => boolean): Promise<void>;
  /** Ends all present stalls. */
  release(): void;
  /** Refuses connections from then on. */
  stop(): Promise<void>;
}

/** A server on a free port that speaks Ollama's protocol, over real HTTP. */
export async function startOllamaStandIn(
  behaviour: Partial<StandInBehaviour> = {},
): Promise<OllamaStandIn> {
  const watchers = new Set<() => void>();
  const stalled = new Set<() => void>();
  const changed = () => [...watchers].forEach((look) => look());
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const standIn: OllamaStandIn = {
    ...defaultBehaviour(),
    ...behaviour,
    url: '',
    requests: [],
    chats: [],
    loaded: [],
    aborted: 0,
    running: 0,
    mostRunning: 0,
    until: (condition) =>
      new Promise((resolve) => {
        const look = () => {
          if (!condition()) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    release: () => [...stalled].forEach((go) => go()),
    stop: () => stopServer(server),
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request);
    const path = (request.url ?? '/').replace(/\?.*$/, '');
    const method = request.method ?? 'GET';
    standIn.requests.push({ method, path, headers: request.headers, body });
    let complete = false;
    response.on('close', () => {
      if (!complete) standIn.aborted += 1;
      changed();
    });
    // Once end() is called the answer is complete, though the client may read it later.
    const end = response.end.bind(response);
    response.end = ((...args: Parameters<typeof end>) => {
      complete = true;
      return end(...args);
    }) as typeof response.end;
    changed();
    if (standIn.proxyStatus !== undefined) {
      const page = '<html><head><title>Bad Gateway</title></head><body>nginx</body></html>';
      response.writeHead(standIn.proxyStatus, { 'content-type': 'text/html' }).end(page);
      return;
    }
    const route = routes[`${method} ${path}`];
    if (route === undefined) response.writeHead(404).end('404 page not found');
    else await route(body as never, response);
  }

  const routes: Record<string, (body: never, response: ServerResponse) => void | Promise<void>> = {
    'GET /': (_body, response) => void response.end('Ollama is running'),
    'GET /api/version': (_body, response) => sendJson(response, 200, { version: standIn.version }),
    'GET /api/tags': (_body, response) =>
      sendJson(response, 200, {
        models: standIn.models.map((name) => ({
          ...describeModel(name, standIn.revision),
          ...(standIn.digests[name] === undefined ? {} : { digest: standIn.digests[name] }),
        })),
      }),
    'GET /api/ps': (_body, response) =>
      sendJson(response, 200, {
        models: standIn.loaded.map((model) => describeLoaded(model, standIn.gpuShare)),
      }),
    'POST /api/show': ({ model }: { model: string }, response) => {
      if (refuseMissing(model, response)) return;
      const embedding = /embed|bge/.test(model);
      sendJson(response, 200, {
        details: describeModel(model).details,
        parameters: '',
        template: '{{ .Prompt }}',
        capabilities: [
          embedding ? 'embedding' : 'completion',
          ...(standIn.canThink && !embedding ? ['thinking'] : []),
        ],
        model_info: {
          'general.architecture': 'llama',
          ...(standIn.contextLength === undefined
            ? {}
            : { 'llama.context_length': standIn.contextLength }),
          'llama.embedding_length': standIn.embed('').length,
        },
      });
    },
    'POST /api/embed': async (body: StandInEmbed, response) => {
      if (standIn.embedBusy > 0) {
        standIn.embedBusy -= 1;
        const error = 'server busy, please try again. maximum pending requests exceeded';
        sendJson(response, 503, { error });
        return;
      }
      if (refuseMissing(body.model, response)) return;
      load(body.model, 2048);
      if (standIn.embedDelayMs > 0) await passing(standIn.embedDelayMs, response);
      if (standIn.embedStalls) await stall(response, false);
      const { status, answer } = answerEmbed(body, standIn);
      sendJson(response, status, answer);
    },
    'POST /api/pull': async (
      body: { model?: string; name?: string; stream?: boolean },
      response,
    ) => {
      if (standIn.pullEnds !== undefined) {
        await endPull(standIn.pullEnds, response);
        return;
      }
      const name = withTag(body.model ?? body.name ?? '');
      if (!standIn.models.includes(name)) standIn.models.push(name);
      const layer = { digest: 'sha256:dde5aa3fc5ff', total: 2_019_377_376 };
      const lines = [
        { status: 'pulling manifest' },
        { status: 'pulling dde5aa3fc5ff', ...layer, completed: 1_009_688_688 },
        { status: 'pulling dde5aa3fc5ff', ...layer, completed: layer.total },
        { status: 'success' },
      ];
      if (body.stream === false) {
        sendJson(response, 200, { status: 'success' });
        return;
      }
      response.setHeader('content-type', 'application/x-ndjson');
      response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
    'POST /api/chat': async (chat: StandInChat, response) => {
      standIn.chats.push(chat);
      standIn.running += 1;
      standIn.mostRunning = Math.max(standIn.mostRunning, standIn.running);
      response.on('close', () => {
        standIn.running -= 1;
        changed();
      });
      changed();
      await answerChat(chat, response);
    },
  };

  async function answerChat(chat: StandInChat, response: ServerResponse): Promise<void> {
    if (standIn.busy > 0) {
      standIn.busy -= 1;
      const error = 'server busy, please try again. maximum pending requests exceeded';
      sendJson(response, 503, { error });
      return;
    }
    if (standIn.refuse !== undefined) {
      sendJson(response, standIn.refuse.status, { error: standIn.refuse.reason });
      return;
    }
    if (refuseMissing(chat.model, response)) return;
    if (chat.think !== undefined && chat.think !== false && !standIn.canThink) {
      sendJson(response, 400, { error: `"${chat.model}" does not support thinking` });
      return;
    }
    load(chat.model, standIn.forcedNumCtx ?? chat.options?.num_ctx ?? 4096);
    const answer = chat.messages.length === 0 ? '' : await standIn.answer(chat.messages, chat);
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const all = text.match(/\s*\S+|\s+/g) ?? [];
    const limit = chat.options?.num_predict ?? -1;
    const pieces = limit >= 0 ? all.slice(0, limit) : all;
    const reason = pieces.length < all.length ? 'length' : 'stop';
    const prompt = chat.messages.reduce((sum, { content }) => sum + countTokens(content), 0);
    const last = {
      done: true,
      done_reason: chat.messages.length === 0 ? 'load' : reason,
      ...durations,
      // Like servers that cut a long prompt silently: they count the rest.
      prompt_eval_count: Math.min(prompt, standIn.forcedNumCtx ?? chat.options?.num_ctx ?? 4096),
      eval_count: pieces.length,
    };
    const line = (message: object, rest: object) => {
      const head = { model: chat.model, created_at: '2026-01-01T00:00:00.000Z' };
      return `${JSON.stringify({ ...head, message: { role: 'assistant', ...message }, ...rest })}\n`;
    };
    if (chat.stream === false) {
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.end(line({ content: pieces.join('') }, last));
      return;
    }
    response.setHeader('content-type', 'application/x-ndjson');
    if (standIn.firstTokenDelayMs > 0) await passing(standIn.firstTokenDelayMs, response);
    const thinks = !standIn.canThink || chat.think !== false;
    const thoughts = (thinks ? standIn.thinking.match(/\s*\S+/g) : null) ?? [];
    const lines = [
      ...thoughts.map((thinking) => line({ content: '', thinking }, { done: false })),
      ...pieces.map((content) => line({ content }, { done: false })),
    ];
    for (let sent = 0; sent <= lines.length && !response.destroyed; sent += 1) {
      const piecesSent = sent - thoughts.length;
      if (piecesSent === standIn.stallAfter) await stall(response);
      if (piecesSent === standIn.resetAfter) return void response.socket?.destroy();
      if (piecesSent === standIn.endAfter) return void response.end();
      if (piecesSent === standIn.errorAfter) {
        return void response.end(`${JSON.stringify({ error: standIn.errorMessage })}\n`);
      }
      await write(response, lines[sent] ?? line({ content: '' }, last));
    }
    response.end();
  }

  function load(model: string, numCtx: number): void {
    const name = withTag(model);
    const others = standIn.loaded.filter((one) => one.name !== name);
    standIn.loaded = [...others, { name, numCtx }].slice(-standIn.memoryFor);
  }

  async function endPull(
    how: NonNullable<StandInBehaviour['pullEnds']>,
    response: ServerResponse,
  ): Promise<void> {
    response.setHeader('content-type', 'application/x-ndjson');
    await write(response, `${JSON.stringify({ status: 'pulling manifest' })}\n`);
    if (how === 'silent') await stall(response);
    response.end(typeof how === 'object' ? `${JSON.stringify({ error: how.error })}\n` : undefined);
  }

  function refuseMissing(model: string, response: ServerResponse): boolean {
    if (standIn.models.includes(withTag(model))) return false;
    sendJson(response, 404, { error: `model '${model}' not found` });
    return true;
  }

  function stall(
    response: ServerResponse,
    // The status line was sent, as when a model is loaded and then sends nothing.
    begun = standIn.stallAfter !== 0,
  ): Promise<void> {
    if (begun) response.flushHeaders();
    return new Promise((resolve) => {
      const go = () => {
        stalled.delete(go);
        resolve();
      };
      stalled.add(go);
      response.on('close', go);
    });
  }

  async function write(response: ServerResponse, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const size = standIn.writeBytes ?? bytes.length;
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      response.write(bytes.subarray(at, at + size));
      // One write in each turn of the event loop, otherwise Node joins them into one packet.
      await new Promise(setImmediate);
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return standIn;
}
