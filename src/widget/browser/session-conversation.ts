import type { Identity } from './identity.js';
import type { Home } from './question.js';
import { ServiceError, type ServiceRequests } from './service-requests.js';
import { readMessages, shownMessages } from './session-history.js';
import type { Questions } from './session-questions.js';
import type { SessionStore } from './session-state.js';

/** Which conversation is shown, and what is stored of it. */
export interface Conversation {
  /** The one that is shown. */
  home(): Home;
  /** The newest message that is known to be stored, in whichever conversation. */
  newest(): number;
  /** Shows the messages of a conversation, by default of the one that is remembered; comes again until it has them. */
  restore(id?: string): Promise<void>;
  idOf(home: Home): string | undefined;
  keep(home: Home, id: string | undefined): void;
  onStored: (home: Home, messageId: number, conversationId: string) => void;
  /** Shows another one from now on. */
  leave(): void;
}

export interface ConversationOwner {
  store: SessionStore;
  identity: Identity;
  requests: ServiceRequests;
  questions: () => Questions;
}

export function createConversation(owner: ConversationOwner): Conversation {
  const { store, identity, requests, questions } = owner;
  let home: Home = { id: undefined };
  let newest = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function keep(of: Home, conversationId: string | undefined): void {
    of.id = conversationId;
    if (of !== home) return;
    identity.keepConversation(conversationId);
    if (conversationId !== store.state.conversationId) store.set({ conversationId });
  }

  async function restore(id = identity.conversationId()): Promise<void> {
    if (id === undefined) return;
    const mine = home;
    store.set({ conversationId: id, restoring: true });
    try {
      const stored = await readMessages(requests, id);
      if (mine !== home) return;
      failures = 0;
      newest = Math.max(newest, ...stored.map((message) => message.id));
      const messages = [...shownMessages(stored, id), ...store.state.messages];
      store.set({ messages, restoring: false });
      keep(home, id);
      const last = stored.filter(({ role }) => role === 'user').at(-1);
      if (last?.answering === true) {
        const started = { conversationId: id, questionId: last.id };
        questions().follow(`m${last.id}`, last.content, started);
      }
    } catch (error) {
      if (mine !== home) return;
      const isGone = error instanceof ServiceError && error.code === 'not_found';
      if (!isGone && failures < 5) {
        failures += 1;
        timer = setTimeout(() => void restore(id), 500 * 2 ** failures);
        return;
      }
      if (isGone) keep(home, undefined);
      store.set({ restoring: false });
    }
    questions().proceed();
  }

  return {
    ...{ restore, keep },
    home: () => home,
    newest: () => newest,
    // Another tab, or somebody who has signed in, may have changed which one is remembered.
    idOf: (of) => (of === home ? identity.conversationId() : of.id),
    onStored(of, messageId, conversationId) {
      newest = Math.max(newest, messageId);
      keep(of, conversationId);
    },
    leave() {
      clearTimeout(timer);
      home.id = identity.conversationId();
      home = { id: undefined };
      failures = 0;
    },
  };
}
