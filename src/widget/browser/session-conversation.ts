import type { Identity } from './identity.js';
import { ServiceError, type ServiceRequests } from './service-requests.js';
import { readMessages, shownMessages } from './session-history.js';
import type { Questions } from './session-questions.js';
import type { SessionStore } from './session-state.js';

/** Which conversation is shown, and what is stored of it. */
export interface Conversation {
  /** Changes with whoever uses the widget and with the conversation: what was asked for before is not to be shown. */
  era(): object;
  /** Shows the messages of a conversation, by default of the one that is remembered; comes again until it has them. */
  restore(id?: string): Promise<void>;
  keep(id: string | undefined): void;
  /** The newest message that is known to be stored. */
  newest(): number;
  onStored(messageId: number, conversationId: string): void;
  /** Nothing of the conversation before is heard or gone on with. */
  forget(): void;
}

export interface ConversationOwner {
  store: SessionStore;
  identity: Identity;
  requests: ServiceRequests;
  questions: () => Questions;
}

export function createConversation(owner: ConversationOwner): Conversation {
  const { store, identity, requests, questions } = owner;
  let era = {};
  let newest = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function keep(conversationId: string | undefined): void {
    identity.keepConversation(conversationId);
    if (conversationId !== store.state.conversationId) store.set({ conversationId });
  }

  async function restore(id = identity.conversationId()): Promise<void> {
    if (id === undefined) return;
    const mine = era;
    store.set({ conversationId: id, restoring: true });
    try {
      const stored = await readMessages(requests, id);
      if (mine !== era) return;
      failures = 0;
      newest = Math.max(newest, ...stored.map((message) => message.id));
      const messages = [...shownMessages(stored, id), ...store.state.messages];
      store.set({ messages, restoring: false });
      keep(id);
      const last = stored.filter(({ role }) => role === 'user').at(-1);
      if (last?.answering === true) {
        const started = { conversationId: id, questionId: last.id };
        questions().follow(`m${last.id}`, last.content, started);
      }
    } catch (error) {
      if (mine !== era) return;
      const isGone = error instanceof ServiceError && error.code === 'not_found';
      if (!isGone && failures < 5) {
        failures += 1;
        timer = setTimeout(() => void restore(id), 500 * 2 ** failures);
        return;
      }
      if (isGone) keep(undefined);
      store.set({ restoring: false });
    }
    questions().proceed();
  }

  return {
    ...{ restore, keep },
    era: () => era,
    newest: () => newest,
    onStored(messageId, conversationId) {
      newest = Math.max(newest, messageId);
      keep(conversationId);
    },
    forget() {
      clearTimeout(timer);
      era = {};
      newest = 0;
      failures = 0;
      questions().clear();
    },
  };
}
