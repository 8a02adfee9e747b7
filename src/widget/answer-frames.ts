import { presentStep } from '../conversations/answering/present-reply.js';
import type { AnswerEvent } from '../conversations/answering/running-answers.js';
import { internalError, isRefusal } from '../platform/errors.js';
import type { AnswerFrame, ErrorFrame } from './protocol.js';

/** A step of an answer as the client is told of it. */
export function frameOf(id: string, event: number, step: AnswerEvent): AnswerFrame | ErrorFrame {
  const told = presentStep(step);
  return told.type === 'error' ? { id, ...told } : { id, event, ...told };
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
