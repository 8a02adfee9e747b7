import { presentReply } from '../conversations/answering/present-reply.js';
import type { AnswerEvent } from '../conversations/answering/running-answers.js';
import { internalError, isRefusal } from '../platform/errors.js';
import type { AnswerFrame, ErrorFrame } from './protocol.js';

/** A step of an answer as the client is told of it. */
export function frameOf(id: string, event: number, step: AnswerEvent): AnswerFrame | ErrorFrame {
  switch (step.type) {
    case 'started':
    case 'waiting':
    case 'delta':
      return { id, event, ...step };
    case 'done':
      return { type: 'done', id, event, ...presentReply(step.result) };
    case 'error': {
      const { code, message, result } = step;
      const said = result === undefined ? {} : { partial: presentReply(result) };
      return { type: 'error', id, code, message, ...said };
    }
  }
}

/** A refusal as the client is told of it. What is no AppError is a bug: no word of it leaves the server. */
export function errorFrame(error: unknown, id: string | undefined): ErrorFrame {
  const named = id === undefined ? {} : { id };
  const { code, message, problems, retryAfterSeconds } = isRefusal(error) ? error : internalError();
  return {
    ...{ type: 'error', ...named, code, message },
    ...(problems === undefined ? {} : { errors: problems }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
  };
}
