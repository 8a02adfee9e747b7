import { retry } from '../retry.js';
import {
  streamChat,
  type ChatEnd,
  type ChatMessage,
  type ChatModel,
  type ChatOptions,
} from './chat-stream.js';
import type { Connection } from './connection.js';
import type { ModelFacts } from './context-window.js';
import { startDeadlines, type Deadlines, type DeadlineSettings, type Missed } from './deadlines.js';
import { busyRetries, ModelError } from './model-error.js';
import type { RequestQueue } from './request-queue.js';

export interface ChatRequest extends ChatOptions {
  messages: ChatMessage[];
  /** Aborting ends the request at the server too. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Receives each piece of the answer when it arrives. */
  onText?: (delta: string) => void;
  onWaiting?: OnWaiting;
  /** An opaque id of the asker. Callers with many requests wait longer than callers with few. */
  caller?: string;
  /** No person waits for the answer. People's requests go first, and the wait for a place has no time limit. */
  background?: boolean;
}

/**
 * Receives the reason of a silence. `queue`: all places are taken; `amount` is the position, 1 being next, and each
 * change is reported. `model`: the request was sent `amount` seconds ago and nothing has arrived. It is reported at 0
 * and then every few seconds, for example while the model loads.
 */
export type OnWaiting = (forWhat: 'queue' | 'model', amount: number) => void;

export interface ChatAnswer extends ChatEnd {
  text: string;
}

export type Thinking = 'off' | 'on' | 'low' | 'medium' | 'high';

export interface ChatSettings extends DeadlineSettings, Omit<ChatModel, 'numCtx' | 'think'> {
  /** Whether, or how much, a thinking model thinks. Default: `off`. */
  think?: Thinking;
  /** The first pause after "server busy"; each further pause is twice as long. */
  busyRetryMs?: number;
  /** The length of a silence before it is reported. */
  loadingNoticeMs?: number;
}

/** Receives events of chats, for counting. */
export interface ChatWatch {
  /** `answered`, a ModelFailure, or `retried` after "server busy". */
  happened(event: string): void;
  answered(prompt: { characters: number; tokens: number; numCtx: number }): void;
}

/** Runs a chat within its deadlines: place in the queue, request, retries. */
export function createChat(
  connection: Connection,
  settings: ChatSettings,
  queue: RequestQueue,
  readFacts: () => Promise<ModelFacts>,
  watch: ChatWatch,
): (request: ChatRequest) => Promise<ChatAnswer> {
  const { chatModel } = settings;
  const slow = (missed: Missed) => new ModelError('too_slow', slowSentence(missed, settings));

  async function once(request: ChatRequest, deadlines: Deadlines): Promise<ChatAnswer> {
    const { signal } = deadlines;
    const { numCtx, canThink } = await readFacts();
    signal.throwIfAborted();
    const ollama = await connection.connect(signal);
    const { keepAlive } = settings;
    const model = { chatModel, keepAlive, numCtx, ...(canThink ? thinkOf(settings) : {}) };
    const parts = streamChat(ollama, model, request.messages, request);
    let text = '';
    deadlines.sent();
    request.onWaiting?.('model', 0);
    const notice = noticeSilence(settings.loadingNoticeMs ?? 3000, request.onWaiting, deadlines);
    try {
      for (;;) {
        const step = await parts.next().catch((error: unknown) => {
          const failure: unknown = signal.aborted
            ? signal.reason
            : connection.explain(error, chatModel);
          throw failure instanceof ModelError ? failure.after(text) : failure;
        });
        notice.stop();
        // Unreachable: the ollama package throws when a stream has no end. The type needs it.
        if (step.done) {
          throw connection.explain(new Error('Did not receive done'), chatModel).after(text);
        }
        deadlines.arrived();
        text += step.value.text;
        if (step.value.text !== '') request.onText?.(step.value.text);
        if (step.value.end) {
          const characters = request.messages.reduce((sum, { content }) => sum + content.length, 0);
          watch.answered({ characters, tokens: step.value.end.promptTokens, numCtx });
          return { text, ...step.value.end };
        }
      }
    } finally {
      notice.stop();
    }
  }

  function withRetries(request: ChatRequest, deadlines: Deadlines): Promise<ChatAnswer> {
    const onRetry = () => {
      watch.happened('retried');
      deadlines.rest();
    };
    const { signal } = deadlines;
    return retry(() => once(request, deadlines), { ...busyRetries(settings), onRetry, signal });
  }

  return async (request) => {
    const { signal, caller, background, onWaiting } = request;
    const deadlines = startDeadlines(settings, signal, slow, background);
    const onPosition = (position: number) => onWaiting?.('queue', position);
    try {
      return await connection.within(deadlines, async () => {
        const leave = await queue.enter(deadlines.signal, { caller, background, onPosition });
        try {
          const answer = await withRetries(request, deadlines);
          watch.happened('answered');
          return answer;
        } finally {
          leave();
        }
      });
    } catch (error) {
      if (error instanceof ModelError) watch.happened(error.failure);
      throw error;
    }
  };
}

/** Reports at intervals for how long nothing has arrived. An error of the listener ends the call. */
function noticeSilence(
  everyMs: number,
  onWaiting: OnWaiting | undefined,
  deadlines: Deadlines,
): { stop(): void } {
  if (onWaiting === undefined) return { stop: () => undefined };
  const began = performance.now();
  const timer = setInterval(() => {
    try {
      onWaiting('model', Math.round((performance.now() - began) / 1000));
    } catch (error) {
      deadlines.abort(error);
    }
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}

function thinkOf({ think = 'off' }: ChatSettings): Pick<ChatModel, 'think'> {
  return { think: think === 'on' || think === 'off' ? think === 'on' : think };
}

function slowSentence(missed: Missed, settings: ChatSettings): string {
  const { chatModel } = settings;
  const seconds = (ms: number) => `${String(ms / 1000)} s`;
  switch (missed) {
    case 'first token':
      return `The model "${chatModel}" did not begin an answer within ${seconds(settings.firstTokenTimeoutMs)}: it may still be loading. Ask again, raise ollama.first_token_timeout_ms, or use a smaller model.`;
    case 'next token':
      return `The model "${chatModel}" sent nothing for ${seconds(settings.idleTimeoutMs)} in the middle of its answer. Ask again, or raise ollama.idle_timeout_ms.`;
    case 'end':
      return `The model "${chatModel}" did not finish within ${seconds(settings.totalTimeoutMs)}, including the wait for its turn. Raise ollama.total_timeout_ms, or use a smaller model.`;
  }
}
