import type { ChannelLike } from '../connection/browser-host.js';
import type { Identity } from '../connection/identity.js';
import type { Home, Question, Started } from './question.js';
import type { LoadHistory } from './history.js';
import { ServiceError, type ServiceRequests } from '../connection/service-requests.js';
import { isOver, type SessionStore } from './session-state.js';

/** Which conversation is shown, and what is stored of it. */
export interface Conversation {
  /** The one that is shown. */
  home(): Home;
  /** The newest message that is known to be stored, in whichever conversation. */
  newest(): number;
  /**
   * Shows the messages of a conversation: by default the remembered one, or the last one of somebody who has just
   * signed in. Tries again when it fails.
   */
  restore(id?: string): Promise<void>;
  idOf(home: Home): string | undefined;
  keep(home: Home, id?: string): void;
  /** Tells other tabs that something was read. */
  tellRead(): void;
  /** Other tabs are told. */
  onStored: (question: Question, messageId: number, conversationId: string) => void;
  /** There is more in a conversation than was shown: it is shown as soon as nothing is under way here. */
  hear(id: string | null | undefined): void;
  catchUp(): void;
  /** Shows another one from now on. */
  leave(): void;
  /** Shows a stored one. */
  open: (id: string) => void;
  /** Shows one that has yet to begin. */
  begin: () => void;
  /** Deletes one for good, here and in the other tabs. Rejects with ServiceError. */
  remove: (id: string) => Promise<void>;
  /** Takes the one from before signing in along and shows it, or forgets it for good. */
  settleEarlier(isContinued: boolean): Promise<void>;
  /** One is there no more: what was asked and has no answer yet stays, and begins another. */
  lose(id: string): void;
  end(): void;
}

/** What a conversation asks of the questions that are under way in it. */
export interface ConversationQuestions {
  isBusy(): boolean;
  /** Goes on with the answer to a question that is shown already. */
  follow(key: string, text: string, started: Started, isElsewhere: boolean): void;
  /** Nothing stands in the way of those that wait. */
  proceed(): void;
  /** Another conversation is shown. */
  leave(): void;
}

export interface ConversationOwner {
  store: SessionStore;
  identity: Identity;
  requests: ServiceRequests;
  questions: () => ConversationQuestions;
  loadHistory: LoadHistory;
  /** To the other tabs of this browser. */
  openChannel: (heard: (said: unknown) => void) => ChannelLike | undefined;
  /** Something has happened in another tab. */
  onOtherTab: () => void;
  /** One was deleted. */
  onGone: (id: string) => void;
  /** One that has yet to begin is shown. */
  onEmpty: () => void;
  /** Whether anything is shown yet. */
  isAwake: () => boolean;
}

/** Tells other tabs that a conversation is no more: before its id, which has no such sign. */
const deleted = '!';

export function createConversation(owner: ConversationOwner): Conversation {
  const { store, identity, requests, questions } = owner;
  let home: Home = { id: undefined };
  let newest = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** A new one was asked for: what another tab begins is not it. */
  let isApart = false;
  let isBehind = false;

  const channel = owner.openChannel((heard) => {
    const { conversationId, messages } = store.state;
    const [subject, data] = Array.isArray(heard) ? (heard as unknown[]) : [];
    // A tab may have somebody else in it: what is theirs would not be found here.
    if (typeof data !== 'string' || subject !== identity.subject()) return;
    if (data.startsWith(deleted)) {
      lose(data.slice(deleted.length));
      return;
    }
    owner.onOtherTab();
    hear(data);
    if (data && !conversationId && !messages[0] && !isApart) {
      if (owner.isAwake()) void restore(data, true);
      else keep(home, data);
    }
  });

  function tell(what: string): void {
    channel?.postMessage([identity.subject(), what]);
  }

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

  function keep(of: Home, conversationId?: string): void {
    of.id = conversationId;
    if (of !== home) return;
    identity.keepConversation(conversationId);
    if (conversationId !== store.state.conversationId) store.set({ conversationId });
  }

  async function restore(id = identity.conversationId(), isElsewhere = false): Promise<void> {
    if (!id && !identity.isNewHere()) return;
    const mine = home;
    if (!isElsewhere) store.set({ conversationId: id, restoring: true });
    try {
      const { readConversation, readConversations } = await owner.loadHistory();
      id ??= (await readConversations(requests, 1))[0]?.id;
      const stored = id && (await readConversation(requests, id));
      if (mine !== home) return;
      if (!id || !stored) {
        store.set({ restoring: false });
        questions().proceed();
        return;
      }
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
      if (isGone && id) lose(id);
      store.set({ restoring: false });
    }
    questions().proceed();
    catchUp();
  }

  function leave(isNew = false): void {
    isApart = isNew;
    isBehind = false;
    clearTimeout(timer);
    // What was asked goes on in the conversation that it was asked in.
    home.id = identity.conversationId();
    home = { id: undefined };
    failures = 0;
  }

  function show(isNew: boolean): void {
    leave(isNew);
    store.set({ messages: [], deleted: false });
    questions().leave();
  }

  function open(id: string): void {
    show(false);
    void restore(id);
  }

  function begin(): void {
    show(true);
    keep(home);
    store.set({ restoring: false });
    questions().proceed();
    owner.onEmpty();
  }

  function lose(id: string): void {
    owner.onGone(id);
    if (id !== store.state.conversationId) return;
    keep(home);
    // What is still being read of it is not shown.
    if (!questions().isBusy()) home = { id: undefined };
    const messages = store.state.messages.filter((message) => !isOver(message));
    store.set({ messages, restoring: false, deleted: owner.isAwake() });
  }

  return {
    ...{ restore, keep, hear, catchUp, leave, begin, lose },
    home: () => home,
    newest: () => newest,
    // Another tab, or somebody who has signed in, may have changed which one is remembered.
    idOf: (of) => (of === home ? identity.conversationId() : of.id),
    onStored({ home: of, isElsewhere }, messageId, conversationId) {
      newest = Math.max(newest, messageId);
      keep(of, conversationId);
      if (!isElsewhere) tell(conversationId);
    },
    tellRead: () => tell(''),
    end() {
      channel?.close();
    },
    open,
    async settleEarlier(isContinued) {
      const [id, visitorToken] = identity.earlier();
      const { person } = store.state;
      if (!id) return;
      try {
        const path = `/conversations/${encodeURIComponent(id)}/claim`;
        if (isContinued) await requests.open('POST', path, { body: { visitorToken } });
      } catch (error) {
        // Not reached, it can be tried again; what is gone can't.
        if ((error as ServiceError).code !== 'not_found') return;
      }
      if (person !== store.state.person) return;
      identity.forgetEarlier();
      if (isContinued) open(id);
      else store.set({});
    },
    async remove(id) {
      const signal = AbortSignal.timeout(20_000);
      await requests.open('DELETE', `/conversations/${encodeURIComponent(id)}`, { signal });
      tell(deleted + id);
      owner.onGone(id);
      if (id === store.state.conversationId) begin();
    },
  };
}
