import type { ChannelLike } from './browser-host.js';
import type { Identity } from './identity.js';
import type { Home, Question } from './question.js';
import { ServiceError, type ServiceRequests } from './service-requests.js';
import type { SessionOwner } from './running-session.js';
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
  /** Tells other tabs that something was read. */
  tellRead(): void;
  /** Other tabs are told. */
  onStored: (question: Question, messageId: number, conversationId: string) => void;
  /** There is more in a conversation than was shown: it is shown as soon as nothing is under way here. */
  hear(id: string | null | undefined): void;
  catchUp(): void;
  /** Shows another one from now on; with `isNew`, one that has yet to begin here. */
  leave(isNew?: boolean): void;
  end(): void;
}

export interface ConversationOwner {
  store: SessionStore;
  identity: Identity;
  requests: ServiceRequests;
  questions: () => Questions;
  loadHistory: SessionOwner['loadHistory'];
  /** To the other tabs of this browser. */
  openChannel: (heard: (said: unknown) => void) => ChannelLike | undefined;
  /** Something has happened in another tab. */
  onOtherTab: () => void;
  /** Whether anything is shown yet. */
  isAwake: () => boolean;
}

export function createConversation(owner: ConversationOwner): Conversation {
  const { store, identity, requests, questions } = owner;
  let home: Home = { id: undefined };
  let newest = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** A new one was asked for: what another tab begins is not it. */
  let isApart = false;
  let isBehind = false;

  const channel = owner.openChannel((data) => {
    const { conversationId, messages } = store.state;
    if (typeof data !== 'string') return;
    owner.onOtherTab();
    hear(data);
    if (data !== '' && conversationId === undefined && messages.length === 0 && !isApart) {
      if (owner.isAwake()) void restore(data, true);
      else keep(home, data);
    }
  });

  function hear(id: string | null | undefined): void {
    isBehind ||= id === store.state.conversationId;
    catchUp();
  }

  function catchUp(): void {
    const { conversationId, restoring } = store.state;
    if (!isBehind || !owner.isAwake() || restoring || questions().isBusy()) return;
    isBehind = false;
    void restore(conversationId, true);
  }

  function keep(of: Home, conversationId: string | undefined): void {
    of.id = conversationId;
    if (of !== home) return;
    identity.keepConversation(conversationId);
    if (conversationId !== store.state.conversationId) store.set({ conversationId });
  }

  async function restore(id = identity.conversationId(), isElsewhere = false): Promise<void> {
    if (id === undefined) return;
    const mine = home;
    if (!isElsewhere) store.set({ conversationId: id, restoring: true });
    try {
      const { readConversation } = await owner.loadHistory();
      const stored = await readConversation(requests, id);
      if (mine !== home) return;
      // Asked here meanwhile: which of these it is will be known when it is over.
      if (isElsewhere && questions().isBusy()) {
        isBehind = true;
        return;
      }
      failures = 0;
      newest = Math.max(newest, stored.newest);
      store.set({ messages: stored.mergeInto(store.state.messages), restoring: false });
      keep(home, id);
      if (stored.answering) {
        const { id: questionId, content } = stored.answering;
        const started = { conversationId: id, questionId };
        questions().follow(`m${questionId}`, content, started, isElsewhere);
      }
    } catch (error) {
      if (mine !== home) return;
      const isGone = error instanceof ServiceError && error.code === 'not_found';
      if (!isGone && failures < 5) {
        failures += 1;
        timer = setTimeout(() => void restore(id, isElsewhere), 500 * 2 ** failures);
        return;
      }
      if (isGone) keep(home, undefined);
      store.set({ restoring: false });
    }
    questions().proceed();
    catchUp();
  }

  return {
    ...{ restore, keep, hear, catchUp },
    home: () => home,
    newest: () => newest,
    // Another tab, or somebody who has signed in, may have changed which one is remembered.
    idOf: (of) => (of === home ? identity.conversationId() : of.id),
    onStored({ home: of, isElsewhere }, messageId, conversationId) {
      newest = Math.max(newest, messageId);
      keep(of, conversationId);
      if (!isElsewhere) channel?.postMessage(conversationId);
    },
    tellRead: () => channel?.postMessage(''),
    end() {
      channel?.close();
    },
    leave(isNew = false) {
      isApart = isNew;
      isBehind = false;
      clearTimeout(timer);
      home.id = identity.conversationId();
      home = { id: undefined };
      failures = 0;
    },
  };
}
