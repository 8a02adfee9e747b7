import type { HelloFrame, ServerFrame } from '../protocol.js';
import { createConnection, shownAs, type ConnectionState } from '../connection/connection.js';
import type { createRequestAnswers } from './answer-by-requests.js';
import type { AnswerStep } from './question.js';
import type { RunningSession, SessionOptions, SessionOwner } from './running-session.js';
import { createAccess, isLasting } from './session-access.js';
import { createAnswers } from './session-answers.js';
import { createConversation } from './session-conversation.js';
import { createNotices } from './session-notices.js';
import { createOpinions } from './session-opinions.js';
import { createQuestions } from './session-questions.js';
import { memoryName } from '../connection/storage.js';
import { createRequests, ServiceError } from '../connection/service-requests.js';
import { createStore, unknownPerson } from './session-state.js';
import { openIdentity, type Credentials } from '../connection/identity.js';
import { createSuggestions } from './session-suggestions.js';
import type { SessionError } from '../session.js';

export type { RunningSession, SessionOptions, SessionOwner } from './running-session.js';

export function createSession(given: SessionOptions, owner: SessionOwner): RunningSession {
  const { host, readPage, mask, emit } = owner;
  let socketState: ConnectionState = 'idle';
  /** The credentials of the last hello. */
  let greeted: Credentials | undefined;
  /** The last error frame without a question: the reason why a hello was refused. */
  let refusal: SessionError | undefined;
  let isAwake = false;
  /** The person whose token has expired, with their unsent questions: the page may name them again. */
  let expired: { subject: string; person: object; unsent: string[] } | undefined;

  const store = createStore(host);
  const identity = openIdentity(host, given.apiKey, given.apiUrl, given, onIdentity, (message) => {
    console.error(`Assistant: ${message}`);
    emit('error', { code: 'unauthenticated', message });
  });
  // A script that can't be loaded counts as a lost connection, so that loading is retried.
  const orOffline = <T>(part: Promise<T>) =>
    part.catch((): never => {
      throw new ServiceError('offline');
    });
  const loadHistory = () => orOffline(owner.loadHistory());
  let byRequests: ReturnType<typeof createRequestAnswers> | undefined;
  const requests = createRequests(host, identity, given.apiUrl);
  const access = createAccess(store, requests, identity, emit, (unread) => {
    notices.expect(unread);
    if (isAwake) void notices.read();
  });
  const suggestions = createSuggestions(store, requests, readPage, () => isAwake);
  suggestions.update(given.suggestions);
  const notices = createNotices(store, requests, {
    onTold: (id) => conversation.hear(id),
    onRead: () => conversation.tellRead(),
  });
  const conversation = createConversation({
    store,
    identity,
    requests,
    questions: () => questions,
    openChannel: (heard) => host.openChannel(memoryName(given.apiKey ?? given.apiUrl), heard),
    loadHistory,
    isAwake: () => isAwake,
    onOtherTab: () => void notices.read(),
    onGone(id) {
      notices.release(id);
      void notices.read();
    },
    onEmpty: () => void suggestions.suggest(),
  });
  const answers = createAnswers({
    store,
    emit,
    now: () => new Date(host.now()).toISOString(),
    onStored: conversation.onStored,
    onAnswered: notices.onAnswered,
    suggestions: suggestions.given,
  });
  const questions = createQuestions({
    answers,
    requests,
    identity,
    conversation,
    readPage,
    mask,
    loadHistory,
    async *byRequests(question, body) {
      const create = await orOffline(owner.loadRequestAnswers());
      byRequests ??= create(requests, identity, loadHistory);
      yield* byRequests(question, body);
    },
    send: (frame) => connection.send(frame),
    way() {
      if (store.state.restoring || store.state.refused) return undefined;
      if (socketState === 'online') return 'socket';
      return socketState === 'blocked' ? 'requests' : undefined;
    },
    async recover() {
      const isRenewed = !!greeted && (await identity.recover(greeted));
      if (isRenewed) connection.greet();
      return isRenewed;
    },
    onReached(isReached) {
      if (socketState !== 'blocked') return;
      // After an outage, sockets may work again.
      if (isReached && store.state.connection !== 'online') connection.tryAgain();
      else if (!isReached) store.set({ connection: host.isOnline() ? 'reconnecting' : 'offline' });
    },
  });
  const connection = createConnection(host, {
    url: given.wsUrl,
    async hello() {
      greeted = await identity.credentials();
      return { type: 'hello', ...greeted } satisfies HelloFrame;
    },
    onFrame,
    onState(state) {
      socketState = state;
      showConnection();
      // Notifications that are pushed meanwhile are lost.
      if (state === 'reconnecting') access.forget();
      if (state !== 'online') questions.interrupt();
      if (state === 'blocked') questions.proceed();
    },
    async onRefused() {
      const error = refusal ?? new ServiceError('offline');
      if (!isLasting(error)) return true;
      if (greeted && (await identity.recover(greeted))) return true;
      access.refuse(error);
      return false;
    },
  });
  const unwatch = host.onNetwork(() => {
    showConnection();
    if (host.isOnline()) questions.proceed();
  });

  function showConnection(): void {
    const connection = shownAs(socketState, host.isOnline());
    if (!store.state.refused && connection !== store.state.connection) {
      store.set({ connection });
    }
  }

  function onIdentity(isOther: boolean, lostSubject?: string): void {
    const signedIn = identity.isSignedIn();
    const wasRefused = store.state.refused;
    let back: typeof expired;
    if (isOther) {
      access.forget();
      conversation.leave();
      const unsent = questions.clear();
      notices.reset();
      const { person } = store.state;
      back = expired?.subject === identity.subject() ? expired : undefined;
      expired = lostSubject === undefined ? undefined : { subject: lostSubject, person, unsent };
      store.set({ ...unknownPerson, signedIn, person: back?.person ?? {} });
    } else store.set({ signedIn, refused: undefined });
    // On an open socket, the hello must come before the questions: else the visitor would ask them.
    connection.greet();
    back?.unsent.forEach(questions.ask);
    if ((isOther || wasRefused) && isAwake) void wake();
  }

  function onFrame(frame: ServerFrame): void {
    if (frame.type === 'welcome') {
      refusal = undefined;
      if (!identity.keepVisitor(frame.visitorToken, !greeted?.visitorToken)) {
        connection.greet();
        return;
      }
      const { messageLength } = frame.limits;
      const known = { displayName: null, ...store.state.identity, kind: frame.identity };
      store.set({ identity: known, messageLength });
      access.learnOnce();
      questions.proceed();
    } else if (frame.type === 'notification') notices.push(frame);
    else if (frame.type === 'error' && !frame.id) refusal = frame;
    else questions.receive(frame as AnswerStep);
  }

  /** Loads everything that an open panel needs: the connection, the conversation, notifications and suggestions. */
  async function wake(): Promise<void> {
    isAwake = true;
    const { person } = store.state;
    await identity.credentials();
    if (person !== store.state.person) return;
    // A new visitor must get one visitor token, so the first request is alone.
    const isKnown = identity.isKnown();
    if (isKnown) connection.open();
    void conversation.restore();
    if (!(await access.learn()) || person !== store.state.person) return;
    connection.open();
    await suggestions.suggest();
  }

  return {
    ...createOpinions(store, requests, () => readPage().url, mask),
    get state() {
      return store.state;
    },
    subscribe: store.subscribe,
    send(given) {
      const text = given.trim();
      const { messageLength } = store.state;
      if (text.length > messageLength) {
        const message = `A message has at most ${messageLength} characters.`;
        emit('error', { code: 'invalid_request', message });
      } else if (text) {
        questions.ask(text);
        if (!isAwake) void wake();
      }
    },
    retry(key) {
      const message = store.message(key);
      if (message?.status === 'failed') questions.retry(key, message.text);
    },
    cancel: questions.cancel,
    newConversation: conversation.begin,
    suggest: () => void suggestions.suggest(),
    listConversations: async () => (await loadHistory()).readConversations(requests, 20),
    deleteConversation: conversation.remove,
    openConversation: conversation.open,
    async signIn(email, password) {
      const { token, displayName } = await requests.json<{
        token: string;
        displayName: string | null;
      }>('POST', '/login', { body: { email, password }, asIs: true });
      identity.signIn(token);
      store.set({ identity: { kind: 'end_user', displayName } });
    },
    hasEarlier: () => !!identity.earlier()[0],
    settleEarlier: (isContinued) => void conversation.settleEarlier(isContinued),
    signOut: identity.signOut,
    markNotificationRead: notices.markRead,
    setVisible(visible) {
      notices.setVisible(visible);
      if (!visible) return;
      if (!isAwake) void wake();
      else if (socketState === 'blocked') {
        // Nothing is pushed when requests are used.
        conversation.hear(store.state.conversationId);
        void access.learn();
      }
    },
    start() {
      if (!identity.isKnown()) return;
      void access.learn().then((isTaken) => {
        if (isTaken && store.state.unread > 0) connection.open();
      });
    },
    update(next) {
      identity.update(next);
      suggestions.update(next.suggestions);
    },
    destroy() {
      unwatch();
      store.end();
      // Pending work compares this object to learn that its person is gone.
      store.set({ person: {} });
      conversation.leave();
      conversation.end();
      questions.clear();
      connection.close();
      requests.end();
      identity.end();
    },
  };
}
