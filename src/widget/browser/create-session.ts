import type { HelloFrame, ServerFrame } from '../protocol.js';
import type { AnswerStep } from './answer-by-requests.js';
import { createConnection, shownAs, type ConnectionState } from './connection.js';
import { openIdentity, type Credentials } from './identity.js';
import { lateAnswers } from './late-answers.js';
import type { RunningSession, SessionOptions, SessionOwner } from './running-session.js';
import { createRequests, ServiceError } from './service-requests.js';
import { createAnswers } from './session-answers.js';
import { createConversation } from './session-conversation.js';
import { createNotices } from './session-notices.js';
import { createOpinions } from './session-opinions.js';
import { createQuestions } from './session-questions.js';
import { memoryName } from './storage.js';
import { createStore, emptyState } from './session-state.js';
import type { SessionError, SessionIdentity } from './session.js';

export type { RunningSession, SessionOptions, SessionOwner } from './running-session.js';

/** What GET /widget/config tells. */
interface Config {
  organization?: { name: string };
  identity: SessionIdentity;
  limits: { messageLength: number };
  unread: number;
}

/** Refusals that stand until the page or the installation is changed. */
const lasting = ['unauthenticated', 'origin_not_allowed', 'origin_required', 'forbidden'];

export function createSession(given: SessionOptions, owner: SessionOwner): RunningSession {
  const { host, readPage, mask, emit } = owner;
  let options = given;
  let way: ConnectionState = 'idle';
  let greeted: Credentials | undefined;
  /** The last refusal that named no question: why a hello was not taken. */
  let refusal: SessionError | undefined;
  let isAwake = false;
  let isLearned = false;
  /** Whoever's token has expired, and what they have asked in vain: the page may name them again. */
  let left: { subject: string; person: object; unsent: string[] } | undefined;

  const store = createStore(host);
  store.set({ suggestions: given.suggestions ?? [] });
  const identity = openIdentity(host, given.apiKey, given.apiUrl, given, onIdentity, (message) => {
    console.error(`Assistant: ${message}`);
    emit('error', { code: 'unauthenticated', message });
  });
  // Not to be had, it is as if the service were not: it is tried again.
  const loadHistory = () =>
    owner.loadHistory().catch(() => {
      throw new ServiceError('offline');
    });
  const requests = createRequests(host, identity, given.apiUrl);
  const notices = createNotices(store, requests, {
    onTold: (id) => conversation.hear(id),
    onRead: () => conversation.tellRead(),
  });
  const conversation = createConversation({
    ...{ store, identity, requests },
    questions: () => questions,
    openChannel: (heard) => host.openChannel(memoryName(given.apiKey ?? given.apiUrl), heard),
    ...{ loadHistory, isAwake: () => isAwake, onOtherTab: () => void notices.read() },
  });
  const answers = createAnswers({
    ...{ store, emit, now: () => new Date(host.now()).toISOString() },
    onStored: conversation.onStored,
    onAnswered: notices.onAnswered,
    suggestions: () => options.suggestions,
  });
  const questions = createQuestions({
    ...{ answers, requests, identity, conversation, readPage, mask, loadHistory },
    byRequests: lateAnswers(async () =>
      (await owner.loadRequestAnswers())(requests, identity, loadHistory),
    ),
    send: (frame) => connection.send(frame),
    way() {
      if (store.state.restoring || store.state.refused !== undefined) return undefined;
      if (way === 'online') return 'socket';
      return way === 'blocked' ? 'requests' : undefined;
    },
    async recover() {
      const isRenewed = greeted !== undefined && (await identity.recover(greeted));
      if (isRenewed) connection.greet();
      return isRenewed;
    },
    onReached(isReached) {
      if (way !== 'blocked') return;
      // After an outage there may be sockets as well.
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
      way = state;
      showConnection();
      // What is pushed meanwhile is missed.
      if (state === 'reconnecting') isLearned = false;
      if (state !== 'online') questions.interrupt();
      if (state === 'blocked') questions.proceed();
    },
    async onRefused() {
      const error = refusal ?? new ServiceError('offline');
      if (!lasting.includes(error.code)) return true;
      if (greeted !== undefined && (await identity.recover(greeted))) return true;
      refuse(error);
      return false;
    },
  });
  const unwatch = host.onNetwork(() => {
    showConnection();
    if (host.isOnline()) questions.proceed();
  });

  function showConnection(): void {
    const connection = shownAs(way, host.isOnline());
    if (store.state.refused === undefined && connection !== store.state.connection) {
      store.set({ connection });
    }
  }

  function onIdentity(isOther: boolean, lostSubject?: string): void {
    const signedIn = identity.isSignedIn();
    const wasRefused = store.state.refused !== undefined;
    if (isOther) {
      isLearned = false;
      conversation.leave();
      const unsent = questions.clear();
      notices.reset();
      const { organization, suggestions, messageLength, connection, person } = store.state;
      const back = left?.subject === identity.subject() ? left : undefined;
      left = lostSubject === undefined ? undefined : { subject: lostSubject, person, unsent };
      const kept = { organization, suggestions, messageLength, connection, signedIn };
      store.set({ ...emptyState, ...kept, person: back?.person ?? {} });
      back?.unsent.forEach((text) => questions.ask(text));
    } else store.set({ signedIn, refused: undefined });
    connection.greet();
    if ((isOther || wasRefused) && isAwake) void wake();
  }

  function refuse({ code, message }: SessionError): void {
    if (store.state.refused === undefined) emit('error', { code, message });
    store.set({ refused: { code, message }, connection: 'offline' });
  }

  function onFrame(frame: ServerFrame): void {
    if (frame.type === 'welcome') {
      refusal = undefined;
      if (!identity.keepVisitor(frame.visitorToken, greeted?.visitorToken === undefined)) {
        connection.greet();
        return;
      }
      const { messageLength } = frame.limits;
      const known = { displayName: null, ...store.state.identity, kind: frame.identity };
      store.set({ identity: known, messageLength });
      if (!isLearned) void learn();
      questions.proceed();
    } else if (frame.type === 'notification') notices.push(frame);
    else if (frame.type === 'error' && frame.id === undefined) refusal = frame;
    else questions.receive(frame as AnswerStep);
  }

  /** Asks the service who this is to it. Resolves to false where it was refused for good. */
  async function learn(): Promise<boolean> {
    const { person } = store.state;
    isLearned = true;
    try {
      const config = await requests.json<Config>('GET', '/config');
      if (person !== store.state.person) return false;
      const { messageLength } = config.limits;
      const signedIn = identity.isSignedIn();
      const organization = config.organization?.name;
      store.set({ organization, identity: config.identity, messageLength, signedIn });
      notices.expect(config.unread);
      if (isAwake) void notices.read();
    } catch (error) {
      if (person !== store.state.person) return false;
      isLearned = false;
      if (error instanceof ServiceError && lasting.includes(error.code)) {
        refuse(error);
        return false;
      }
    }
    return true;
  }

  /** Gets what an open panel needs: a connection, the conversation, what is new, and what to ask first. */
  async function wake(): Promise<void> {
    isAwake = true;
    const { person } = store.state;
    await identity.credentials();
    if (person !== store.state.person) return;
    // Somebody new gets one visitor token by the first request, before a second thing is asked.
    const isKnown = identity.isKnown();
    if (isKnown) connection.open();
    void conversation.restore();
    if (!(await learn()) || person !== store.state.person) return;
    connection.open();
    await suggest();
  }

  /** What was asked goes on in the conversation that it was asked in. */
  function leave(isNew = false): void {
    conversation.leave(isNew);
    store.set({ messages: [] });
    questions.leave();
  }

  function newConversation(): void {
    leave(true);
    conversation.keep(conversation.home(), undefined);
    store.set({ restoring: false });
    questions.proceed();
    void suggest();
  }

  /** Where the page itself says nothing. */
  async function suggest(): Promise<void> {
    if (!isAwake || options.suggestions !== undefined || store.state.messages.length > 0) return;
    try {
      const { url, language } = readPage();
      const query = new URLSearchParams({ url, ...(language && { language }) });
      const path = `/page?${String(query)}`;
      const { suggestions } = await requests.json<{ suggestions: string[] }>('GET', path);
      if (language === readPage().language) store.set({ suggestions });
    } catch {
      // The panel does without.
    }
  }

  return {
    ...createOpinions(store, requests, () => readPage().url, mask),
    get state() {
      return store.state;
    },
    subscribe: (listener) => store.subscribe(listener),
    send(given) {
      const text = given.trim();
      const { messageLength } = store.state;
      if (text.length > messageLength) {
        const message = `A message has at most ${messageLength} characters.`;
        emit('error', { code: 'invalid_request', message });
        return;
      }
      if (text === '') return;
      questions.ask(text);
      if (!isAwake) void wake();
    },
    retry(key) {
      const message = store.message(key);
      if (message?.status === 'failed') questions.retry(key, message.text);
    },
    cancel: questions.cancel,
    newConversation,
    suggest: () => void suggest(),
    listConversations: async () => (await loadHistory()).readConversations(requests, 20),
    async deleteConversation(id) {
      const signal = AbortSignal.timeout(20_000);
      await requests.open('DELETE', `/conversations/${encodeURIComponent(id)}`, { signal });
      if (id === store.state.conversationId) newConversation();
    },
    openConversation(id) {
      leave();
      void conversation.restore(id);
    },
    async signIn(email, password) {
      const { token, displayName } = await requests.json<{
        token: string;
        displayName: string | null;
      }>('POST', '/login', { body: { email, password }, asIs: true });
      identity.signIn(token);
      store.set({ identity: { kind: 'end_user', displayName } });
    },
    signOut: () => identity.signOut(),
    markNotificationRead: notices.markRead,
    setVisible(visible) {
      notices.setVisible(visible);
      if (!visible) return;
      if (!isAwake) void wake();
      else if (way === 'blocked') {
        // Nothing is pushed by this way.
        conversation.hear(store.state.conversationId);
        void learn();
      }
    },
    start() {
      if (!identity.isKnown()) return;
      void learn().then((isTaken) => {
        if (isTaken && store.state.unread > 0) connection.open();
      });
    },
    update(next) {
      const before = options;
      options = next;
      identity.update(next);
      if (next.suggestions !== undefined) store.set({ suggestions: next.suggestions });
      else if (before.suggestions !== undefined) void suggest();
    },
    destroy() {
      unwatch();
      store.end();
      // Whatever still waits for an answer finds that it was for somebody else.
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
