import type { PageContext, WidgetLanguage } from '../../../widget/browser/api-types.js';
import type {
  ChatMessage,
  ConversationItem,
  Session,
  SessionState,
} from '../../../widget/browser/session.js';
import type { Started } from '../../../widget/browser/question.js';
import { ServiceError, type Account, type Service } from '../service/service.js';
import { createStore } from './store.js';
import { readConversation } from './stored-messages.js';
import { pathOf, streamAnswer, type Asked } from './stream-answer.js';

export interface SessionOwner {
  service: Service;
  user: Account['user'];
  language: () => WidgetLanguage;
  /** What is told of the page beside the panel. */
  context: () => Promise<PageContext>;
  /** The conversation of before, for as long as the user is signed in. */
  kept: { read: () => Promise<string | undefined>; keep: (id: string | undefined) => void };
}

/** A session that ends with the panel; the conversation itself is kept. */
export interface ApiSession extends Session {
  /** The service was reached: gets the conversation that could not be read before, if there is one. */
  onReached(): void;
  end(): void;
}

interface Question {
  key: string;
  text: string;
  /** What was beside the panel when it was asked: by the time its turn comes, that may be another page. */
  page: Promise<PageContext>;
}

interface UnderWay {
  leave: AbortController;
  isCancelled?: boolean;
  started?: Started;
}

const cancelled = { code: 'cancelled', message: 'cancelled' };

const first: SessionState = {
  ...{ connection: 'online', identity: undefined, person: {}, signedIn: true, refused: undefined },
  ...{ conversationId: undefined, messages: [], restoring: false, suggestions: [] },
  ...{ notifications: [], unread: 0, messageLength: 8000 },
};

/** The chat of somebody who is signed in to the service, as the widget's view shows one. */
export function createApiSession({
  service,
  user,
  language,
  context,
  kept,
}: SessionOwner): ApiSession {
  const { email, display_name } = user;
  const identity = { kind: 'end_user' as const, displayName: display_name || email };
  const store = createStore({ ...first, identity });
  const underWay = new Map<string, UnderWay>();
  /** Questions are asked one after the other: each belongs to the conversation of the one before. */
  let queue = Promise.resolve();
  let keys = 0;
  /** What belongs to a conversation that was left is not shown any more. */
  let era = 0;
  /** The conversation that could not be restored. */
  let missing: string | undefined;

  /** Shows a message: an answer behind its question, a question behind all others. */
  function put(message: Omit<ChatMessage, 'timestamp' | 'key'>, behind?: string): string {
    keys += 1;
    const key = `q${keys}`;
    const timestamp = new Date().toISOString();
    const { messages } = store.state;
    const found = messages.findIndex((one) => one.key === behind);
    const at = found < 0 ? messages.length : found + 1;
    store.set({ messages: messages.toSpliced(at, 0, { ...message, key, timestamp }) });
    return key;
  }

  async function answer({ key, text, page }: Question, now: number): Promise<void> {
    if (now !== era) return;
    store.setMessage(key, { status: 'sent', error: undefined });
    await follow(key, now, async () => ({
      message: text,
      context: { ...(await page), language: language() },
      conversationId: store.state.conversationId,
    }));
  }

  /** Shows the answer to a question that is asked, or the rest of one that is under way, as it comes. */
  async function follow(
    key: string,
    now: number,
    asked: () => Promise<Asked> | Started,
  ): Promise<void> {
    const answerKey = put({ role: 'assistant', text: '', status: 'waiting' }, key);
    const mine: UnderWay = { leave: new AbortController() };
    underWay.set(answerKey, mine);
    const patch = (change: Partial<ChatMessage>) => {
      if (now === era) store.setMessage(answerKey, change);
    };
    try {
      const given = await asked();
      if ('questionId' in given) mine.started = given;
      for await (const event of stream(given, mine, now)) {
        if (now !== era) return;
        if (event.type === 'started') {
          mine.started = event;
          store.set({ conversationId: event.conversationId });
          kept.keep(event.conversationId);
        } else if (event.type === 'waiting') patch({ waitingFor: event.for });
        else if (event.type === 'delta') {
          const said = (store.message(answerKey)?.text ?? '') + event.text;
          patch({ text: said, status: 'streaming', waitingFor: undefined });
        } else if (event.type === 'error' && event.partial === undefined) {
          throw new ServiceError(event.code, event.message);
        } else {
          const reply = event.type === 'done' ? event : event.partial;
          if (reply === undefined) return;
          const { response, status } = reply;
          // A person is asked in the widget of a site, which knows whom.
          const said = { ...reply, canRequest: false };
          const { code, message } = event.type === 'error' ? event : cancelled;
          const isBroken = event.type === 'error' || (mine.isCancelled && status === 'incomplete');
          const error = isBroken ? { code, message } : undefined;
          patch({ text: response, status, reply: said, error, waitingFor: undefined });
          store.setMessage(key, { status: 'complete' });
        }
      }
    } catch (error) {
      if (now !== era) return;
      fail(key, answerKey, error instanceof ServiceError ? error : new ServiceError('offline'));
    } finally {
      underWay.delete(answerKey);
    }
  }

  /** A conversation that was deleted elsewhere is begun anew with the question. */
  async function* stream(given: Asked | Started, mine: UnderWay, now: number) {
    try {
      yield* streamAnswer(service, given, mine.leave.signal);
    } catch (error) {
      const isGone = error instanceof ServiceError && error.code === 'not_found';
      const isBegun = 'questionId' in given || given.conversationId === undefined;
      if (!isGone || isBegun || mine.started !== undefined || now !== era) throw error;
      store.set({ conversationId: undefined });
      kept.keep(undefined);
      yield* streamAnswer(service, { ...given, conversationId: undefined }, mine.leave.signal);
    }
  }

  function fail(key: string, answerKey: string, { code, message, retryAfter }: ServiceError): void {
    // Of the month's end nobody waits before the screen.
    const wait = code === 'quota_exceeded' ? undefined : retryAfter;
    const error = { code, message, retryAfter: wait };
    const isBlank = store.message(answerKey)?.text === '';
    if (isBlank) {
      store.set({ messages: store.state.messages.filter((one) => one.key !== answerKey) });
    } else store.setMessage(answerKey, { status: 'incomplete', error, waitingFor: undefined });
    store.setMessage(key, { status: 'failed', error });
  }

  function enqueue(key: string, text: string): void {
    const now = era;
    const question = { key, text, page: context() };
    // Whoever takes its turn hears of a failure.
    question.page.catch(() => undefined);
    queue = queue.then(() => answer(question, now));
  }

  function leave(): void {
    era += 1;
    missing = undefined;
    for (const { leave } of underWay.values()) leave.abort();
    underWay.clear();
    queue = Promise.resolve();
    store.set({ messages: [], conversationId: undefined, restoring: false });
  }

  function newConversation(): void {
    leave();
    kept.keep(undefined);
  }

  /** Shows a stored conversation; what is asked meanwhile waits until answers that are under way there have come. */
  function restore(id: string): void {
    const restored = read(id, era);
    queue = queue.then(() => restored);
  }

  async function read(conversationId: string, now: number): Promise<void> {
    missing = undefined;
    store.set({ restoring: true, conversationId });
    try {
      const { messages, answering } = await readConversation(service, conversationId);
      if (now !== era) return;
      store.set({ messages: [...messages, ...store.state.messages], restoring: false });
      const rest = answering.map(({ key, questionId }) =>
        follow(key, now, () => ({ conversationId, questionId })),
      );
      await Promise.all(rest);
    } catch (error) {
      const isGone = error instanceof ServiceError && error.code === 'not_found';
      if (now !== era) return;
      if (isGone) store.set({ conversationId: undefined });
      else missing = conversationId;
      store.set({ restoring: false });
    }
  }

  queue = kept.read().then((id) => (id === undefined || era > 0 ? undefined : read(id, era)));

  return {
    get state() {
      return store.state;
    },
    subscribe: (listener) => store.subscribe(listener),
    send(given) {
      const text = given.trim();
      if (text === '' || text.length > store.state.messageLength) return;
      enqueue(put({ role: 'user', text, status: 'queued' }), text);
    },
    retry(key) {
      const message = store.message(key);
      if (message?.status !== 'failed') return;
      // To the end, where its answer will be.
      const others = store.state.messages.filter((one) => one.key !== key);
      store.set({ messages: [...others, { ...message, status: 'queued', error: undefined }] });
      enqueue(key, message.text);
    },
    cancel(key) {
      const mine = underWay.get(key);
      if (mine === undefined) return;
      mine.isCancelled = true;
      if (mine.started === undefined) mine.leave.abort();
      else void service.json('POST', `${pathOf(mine.started)}/cancel`).catch(() => undefined);
    },
    newConversation,
    async listConversations() {
      // Whoever looks after an organization may read all of its conversations, and wants their own here.
      const { data } = await service.json<{
        data: { id: string; title: string; updated_at: string; user_id: number | null }[];
      }>('GET', `/api/conversations?limit=20${user.role === 'user' ? '' : `&user_id=${user.id}`}`);
      return data.map(({ id, title, updated_at: updatedAt }): ConversationItem => ({
        id,
        title,
        updatedAt,
      }));
    },
    openConversation(id) {
      leave();
      kept.keep(id);
      restore(id);
    },
    async deleteConversation(id) {
      await service.json('DELETE', `/api/conversations/${encodeURIComponent(id)}`);
      if (id === store.state.conversationId) newConversation();
    },
    async rate(key, wanted, comment) {
      const { reply, rating: before } = store.message(key) ?? {};
      if (reply === undefined) return false;
      const rating = wanted === before && comment === undefined ? undefined : wanted;
      store.setMessage(key, { rating });
      const { conversationId, messageId: questionId } = reply;
      const path = `${pathOf({ conversationId, questionId })}/feedback`;
      try {
        await (rating
          ? service.json('PUT', path, { rating, comment })
          : service.json('DELETE', path));
        return true;
      } catch {
        if (store.message(key)?.rating === rating) store.setMessage(key, { rating: before });
        return false;
      }
    },
    signIn: () => Promise.reject(new ServiceError('forbidden')),
    signOut: () => void service.signOut(),
    markNotificationRead: () => undefined,
    setVisible: () => undefined,
    end: leave,
    onReached() {
      if (missing !== undefined) restore(missing);
    },
  };
}
