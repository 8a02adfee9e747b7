import type { Credentials, Identity } from '../connection/identity.js';
import { ServiceError, type ServiceRequests } from '../connection/service-requests.js';
import type { FrameReply } from '../protocol.js';
import type { LoadHistory } from './history.js';
import { type AnswerStep, pathOf, type Question } from './question.js';

interface StreamedEvent {
  type: string;
  /** 0 without a number. */
  id: number;
  data: Record<string, unknown>;
}

/** The events of a response, as they arrive. Comments and invalid JSON are skipped. */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    // A reader who stops early releases the connection.
    void reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): StreamedEvent | undefined {
  const field = (name: string) =>
    new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]?.replace(/\r$/, '');
  try {
    const data = JSON.parse(field('data') ?? '') as StreamedEvent['data'];
    return { type: field('event') ?? '', id: Number(field('id') ?? 0), data };
  } catch {
    return undefined;
  }
}

const pollMs = 1500;

/**
 * Answers questions without a socket: as server-sent events, or as plain documents once streams prove not to work. The
 * steps are the same as those of the socket. Rejects with ServiceError: `offline` when the connection was lost.
 */
export function createRequestAnswers(
  requests: ServiceRequests,
  identity: Identity,
  loadHistory: LoadHistory,
): (question: Question, body: object) => AsyncGenerator<AnswerStep, void, undefined> {
  /**
   * Consecutive stream requests that returned no stream. After the first, this question is asked plainly; after the
   * second, all questions.
   */
  let empty = 0;
  let last: Question | undefined;

  async function* streamed(question: Question, body: object) {
    const { id, leave, started, after } = question;
    const { signal } = leave;
    empty += 1;
    last = question;
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(after) };
    const { response, used } = started
      ? await requests.open('GET', `${pathOf(started)}/events`, { headers, signal })
      : await requests.open('POST', '/message', { body, headers, signal });
    question.sent = true;
    const type = response.headers.get('Content-Type') ?? '';
    if (response.body && type.startsWith('text/event-stream')) {
      for await (const { type, id: number, data } of readEvents(response.body)) {
        empty = 0;
        if (type === 'welcome') identity.keepVisitor(data['visitorToken'], isNew(used));
        // Events that were stored before have no number.
        else yield { ...data, type, id, event: number || question.after + 1 } as AnswerStep;
      }
    }
  }

  async function* plain(question: Question, body: object): AsyncGenerator<AnswerStep> {
    const { id, leave, started } = question;
    const event = question.after + 1;
    if (!started) {
      const { signal } = leave;
      question.sent = true;
      const { response, used } = await requests.open('POST', '/message', { body, signal });
      const { visitorToken, ...reply } = (await response.json()) as FrameReply & {
        visitorToken?: string;
      };
      identity.keepVisitor(visitorToken, isNew(used));
      yield { type: 'done', id, event, ...reply };
      return;
    }
    const { conversationId, questionId } = started;
    const { readMessages, replyOf } = await loadHistory();
    while (!leave.signal.aborted) {
      const stored = await readMessages(requests, conversationId);
      const answer = stored.find((message) => message.question_id === questionId);
      if (answer) {
        yield { ...replyOf(answer, conversationId), type: 'done', id, event };
        return;
      }
      if (stored.find((message) => message.id === questionId)?.answering !== true) {
        throw new ServiceError('not_found');
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  return async function* (question, body) {
    const isPlain = empty > 1 || (empty > 0 && question === last);
    try {
      yield* isPlain ? plain(question, body) : streamed(question, body);
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'offline') throw error;
      question.sent = true;
      throw new ServiceError('offline');
    }
  };
}

const isNew = (used: Credentials) => !used.visitorToken;
