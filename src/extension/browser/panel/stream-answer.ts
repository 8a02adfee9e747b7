import type { PageContext } from '../../../widget/browser/api-types.js';
import { readEvents } from '../../../widget/browser/event-stream-reader.js';
import type { Started } from '../../../widget/browser/question.js';
import type { FrameReply } from '../../../widget/protocol.js';
import { ServiceError, type Service } from '../service/service.js';

export interface Asked {
  message: string;
  context: PageContext & { language?: 'en' | 'es' | 'de' };
  conversationId: string | undefined;
}

export type AnswerEvent =
  | ({ type: 'started' } & Started)
  | { type: 'waiting'; for: 'queue' | 'model' }
  | { type: 'delta'; text: string }
  | ({ type: 'done' } & FrameReply)
  | { type: 'error'; code: string; message: string; partial?: FrameReply };

/** How often a broken connection is taken up again without anything new having come. */
const mostTries = 4;

/**
 * The answer to a question, or the rest of one that is under way, event by event, until `done` or `error`. Where the
 * connection breaks it is gone on with, and the question is never asked twice. Rejects with ServiceError.
 */
export async function* streamAnswer(
  service: Service,
  asked: Asked | Started,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, void, undefined> {
  let started = 'questionId' in asked ? asked : undefined;
  let last = 0;
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries));
    try {
      const headers = { Accept: 'text/event-stream', 'Last-Event-ID': String(last) };
      const response = started
        ? await service.open('GET', `${pathOf(started)}/events`, { headers, signal })
        : await service.open('POST', '/api/conversations/message', {
            ...{ headers, signal },
            body: { ...asked, channel: 'extension' },
          });
      if (response.body === null) throw new ServiceError('offline');
      for await (const { type, id, data } of readEvents(response.body)) {
        // What was stored before has no number.
        if (id !== 0 && id <= last) continue;
        last = Math.max(last, id);
        tries = 0;
        const event = { ...data, type } as AnswerEvent;
        if (event.type === 'started') started = event;
        yield event;
        if (event.type === 'done' || event.type === 'error') return;
      }
      // It ended before it had begun: whether the question arrived is not known.
      if (started === undefined) break;
    } catch (error) {
      const isLost = !(error instanceof ServiceError) || error.code === 'offline';
      // Whether it arrived is not known: who asks decides whether to ask again.
      if (!isLost || started === undefined || signal.aborted) throw asServiceError(error);
    }
  }
  throw new ServiceError('offline');
}

export function pathOf({ conversationId, questionId }: Started): string {
  return `/api/conversations/${encodeURIComponent(conversationId)}/messages/${questionId}`;
}

function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('offline');
}
