import { ServiceError, type ServiceRequests } from '../connection/service-requests.js';
import type { RunningSession } from './running-session.js';
import { questionOf, type SessionStore } from './session-state.js';

/** Ratings of an answer, and passing its question to a person. Shown at once, and reverted after a refusal. */
export function createOpinions(
  store: SessionStore,
  requests: ServiceRequests,
  url: () => string,
  mask: (text: string) => Promise<string>,
): Pick<RunningSession, 'rate' | 'askPerson'> {
  return {
    async rate(key, wanted, given) {
      const { reply, rating: before } = store.message(key) ?? {};
      if (!reply) return false;
      const rating = wanted === before && !given ? undefined : wanted;
      store.setMessage(key, { rating });
      const { conversationId, messageId } = reply;
      try {
        const comment = given && (await mask(given));
        const body = { conversationId, messageId, rating: rating ?? null, comment };
        await requests.json('POST', '/feedback', { body });
        return true;
      } catch {
        // Unless the rating has changed again meanwhile.
        if (store.message(key)?.rating === rating) store.setMessage(key, { rating: before });
        return false;
      }
    },
    askPerson(key, email) {
      const answer = store.message(key);
      const question = questionOf(store.state, key)?.text;
      const isAsked = answer?.request && answer.request !== 'failed';
      if (!answer || !question || isAsked) return;
      store.setMessage(key, { request: 'sending' });
      const conversationId = answer.reply?.conversationId;
      const file = async () => {
        const body = { question: await mask(question), url: url(), email: email || undefined };
        try {
          await requests.json('POST', '/requests', { body: { ...body, conversationId } });
        } catch (error) {
          if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
          // The answer was deleted, or belongs to an earlier visitor of this browser. File the bare question instead.
          await requests.json('POST', '/requests', { body });
        }
      };
      file().then(
        () => store.setMessage(key, { request: 'filed' }),
        () => store.setMessage(key, { request: 'failed' }),
      );
    },
  };
}
