import type { createRequestAnswers } from './answer-by-requests.js';
import { ServiceError } from './service-requests.js';

type RequestAnswers = ReturnType<typeof createRequestAnswers>;

/** Answers without a socket, by what is loaded once there is none. Not to be had, the service is as good as offline. */
export function lateAnswers(load: () => Promise<RequestAnswers>): RequestAnswers {
  let loaded: RequestAnswers | undefined;
  return async function* (question, body) {
    try {
      loaded ??= await load();
    } catch {
      throw new ServiceError('offline');
    }
    yield* loaded(question, body);
  };
}
