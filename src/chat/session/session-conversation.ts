import type { ChannelLike } from '../connection/browser-host.js';
import type { Identity } from '../connection/identity.js';
import type { Home, Question, Started } from './question.js';
import type { LoadHistory } from './history.js';
import { ServiceError, type ServiceRequests } from '../connection/service-requests.js';
import { isOver, type SessionStore } from './session-state.js';

/** The shown conversation and its stored messages. */
export interface Conversation {
  home(): Home;
  /** The newest message that is known to be stored, in any conversation. */
  newest(): number;
  /**
   * Shows the messages of a conversation. Default: the remembered one, or the latest one of a person who has just
   * signed in. Retries after a failure.
   */
  restore(id?: string): Promise<void>;
  idOf(home: Home): string | undefined;
  keep(home: Home, id?: string): void;
  /** Tells other tabs that something was read. */
  tellRead(): void;
  /** Tells other tabs that a question is stored. */
  onStored: (question: Question, messageId: number, conversationId: string) => void;
  /** A conversation has new messages. They are shown as soon as no question is under way here. */
  hear(id: string | null | undefined): void;
  catchUp(): void;
  leave(): void;
  /** Shows a stored conversation. */
  open: (id: string) => void;
  /** Shows a new, empty conversation. */
  begin: () => void;
  /** Deletes a conversation for good, here and in the other tabs. Rejects with ServiceError. */
  remove: (id: string) => Promise<void>;
  /** Continues the conversation from before the sign-in, or deletes it for good. */
  settleEarlier(isContinued: boolean): Promise<void>;
  /** A conversation no longer exists. Its unanswered questions stay and begin a new one. */
  lose(id: string): void;
  end(): void;
}

/** The part of the running questions that a conversation needs. */
export interface ConversationQuestions {
  isBusy(): boolean;
  /** Resumes the answer to a question that is already shown. */
  follow(key: string, text: string, started: Started, isElsewhere: boolean): void;
  /** Waiting questions may be sent now. */
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
  /** Opens the channel to the other tabs of this browser. */
  openChannel: (heard: (said: unknown) => void) => ChannelLike | undefined;
  /** Something has happened in another tab. */
  onOtherTab: () => void;
  onGone: (id: string) => void;
  /** A new, empty conversation is shown. */
  onEmpty: () => void;
  /** True when something is already shown. */
  isAwake: () => boolean;
}

/** Marks a message to other tabs that a conversation was deleted; its id follows. Ids never contain this character. */
const deleted = '!';

export function createConversation(owner: ConversationOwner): Conversation {
  const { store, identity, requests, questions } = owner;
  let home: Home = { id: undefined };
  let newest = 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The person asked for a new conversation, so a conversation begun in another tab is not shown. */
  let isApart = false;
  let isBehind = false;

  const channel = owner.openChannel((heard) => {
    const { conversationId, messages } = store.state;
    const [subject, data] = Array.isArray(heard) ? (heard as unknown[]) : [];
    // Another tab may have another person, whose conversations can't be found here.
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
      // Something was asked here meanwhile. Which conversation it belongs to is known when it ends.
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
    // The question continues in its own conversation.
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
    // Messages that are still being loaded are not shown.
    if (!questions().isBusy()) home = { id: undefined };
    const messages = store.state.messages.filter((message) => !isOver(message));
    store.set({ messages, restoring: false, deleted: owner.isAwake() });
  }

  return {
    restore,
    keep,
    hear,
    catchUp,
    leave,
    begin,
    lose,
    home: () => home,
    newest: () => newest,
    // Another tab, or a new sign-in, may have changed the remembered conversation.
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
        // A lost connection can be retried; a deleted conversation can't.
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
