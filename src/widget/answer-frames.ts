import { presentReply } from '../conversations/present-reply.js';
import type { AnswerEvent } from '../conversations/running-answers.js';
import { AppError, errorCodes } from '../platform/errors.js';
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
  if (!isRefusal(error)) {
    const message = 'Something went wrong here. The log of the server has the reason.';
    return { type: 'error', ...named, code: 'internal', message };
  }
  const { code, message, problems, retryAfterSeconds } = error;
  return {
    ...{ type: 'error', ...named, code, message },
    ...(problems === undefined ? {} : { errors: problems }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }),
  };
}

export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && errorCodes[error.code].status !== 500;
}
