import type { ClientFrame, FrameContext } from '../protocol.js';
import type { LoadHistory } from './history.js';
import type { Identity } from '../connection/identity.js';
import { makeQuestion, pathOf, randomId, type AnswerStep, type Question } from './question.js';
import { ServiceError, type ServiceRequests } from '../connection/service-requests.js';
import type { Answers } from './session-answers.js';
import type { Conversation, ConversationQuestions } from './session-conversation.js';
import type { SessionError } from '../session.js';

export interface QuestionsOwner {
  answers: Answers;
  requests: ServiceRequests;
  byRequests: (question: Question, body: object) => AsyncIterable<AnswerStep>;
  /** Returns false when the socket is not open. */
  send: (frame: ClientFrame) => boolean;
  /** The transport for a question now; undefined while there is none. */
  way: () => 'socket' | 'requests' | undefined;
  /** Resolves to true when valid credentials are on their way to the socket. */
  recover: () => Promise<boolean>;
  /** Reports whether a request reached the service. */
  onReached: (isReached: boolean) => void;
  identity: Pick<Identity, 'credentials'>;
  conversation: Pick<Conversation, 'home' | 'idOf' | 'keep' | 'lose' | 'newest' | 'catchUp'>;
  readPage: () => FrameContext;
  mask: (text: string) => Promise<string>;
  loadHistory: LoadHistory;
}

export interface Questions extends ConversationQuestions {
  ask: (text: string) => void;
  /** Asks the question of a message again. */
  retry(key: string, text: string): void;
  cancel: (key: string) => void;
  receive(frame: AnswerStep): void;
  /** The service can be reached, perhaps again. */
  proceed(): void;
  /** The socket is closed. */
  interrupt(): void;
  /** Another conversation is shown. Questions at the service are no longer awaited; unsent ones continue invisibly. */
  leave(): void;
  /** Forgets all questions; running answers end unheard. Returns the questions that never reached the service. */
  clear(): string[];
}

/** The most questions that may wait for a connection. */
const mostQueued = 20;

/** Sends questions one after the other, each exactly once. The next one is sent when the previous one is answered. */
export function createQuestions(owner: QuestionsOwner): Questions {
  const { answers, requests, identity, conversation } = owner;
  /** The first question is the running one. */
  const queue: Question[] = [];
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function add(question: Question): void {
    if (queue.length < mostQueued) {
      queue.push(question);
      proceed();
    } else {
      answers.fail(question, new ServiceError('too_many_waiting'));
    }
  }

  function proceed(): void {
    const way = owner.way();
    const [question] = queue;
    if (!way || !question || question.carrier) return;
    clearTimeout(timer);
    const me = (question.carrier = {});
    const isReplaced = () => question.carrier !== me;
    carry(question, way, isReplaced).catch((error: unknown) => {
      if (!isReplaced()) stumble(question, error);
    });
  }

  async function carry(
    question: Question,
    way: 'socket' | 'requests',
    isReplaced: () => boolean,
  ): Promise<void> {
    const { id } = question;
    if (question.sent && !question.started) {
      const { findQuestion } = await owner.loadHistory();
      const found = await findQuestion(requests, question);
      if (isReplaced()) return;
      question.started = found;
      question.sent = !!found;
    }
    // Renew a user token that is about to expire before the service refuses it.
    await identity.credentials();
    const message = await owner.mask(question.text);
    if (isReplaced()) return;
    question.message = message;
    const { started, after } = question;
    if (!started) {
      question.conversationId = conversation.idOf(question.home);
      question.since = conversation.newest();
    }
    answers.expect(question);
    const { conversationId } = question;
    const asked = { message, context: owner.readPage(), conversationId };
    if (way === 'requests') {
      for await (const step of owner.byRequests(question, asked)) {
        if (isReplaced()) return;
        reached();
        receive(step);
      }
      if (!isReplaced()) throw new ServiceError('offline');
      return;
    }
    const isSent = owner.send(
      started ? { type: 'resume', id, ...started, after } : { type: 'message', id, ...asked },
    );
    if (isSent) question.sent = true;
    else question.carrier = undefined;
  }

  /** Handles a failed attempt: a refused question ends; one that did not reach the service is retried later. */
  function stumble(question: Question, error: unknown): void {
    question.carrier = undefined;
    const isOurs = error instanceof ServiceError;
    // Any other error is a bug of this script or of the page, and would repeat for ever.
    if (!isOurs) console.error('Assistant:', error);
    if (!isOurs || !passing.includes(error.code)) {
      // An error from the service shows that it was reached.
      if (isOurs) reached();
      refuse(question, isOurs ? error : new ServiceError('internal', String(error)));
      return;
    }
    failures += 1;
    owner.onReached(false);
    clearTimeout(timer);
    timer = setTimeout(proceed, Math.min(30_000, 500 * 2 ** failures));
  }

  function reached(): void {
    failures = 0;
    owner.onReached(true);
  }

  function refuse(question: Question, error: SessionError): void {
    const { code } = error;
    const isStarted = !!question.started;
    question.carrier = undefined;
    question.sent = isStarted;
    // The socket is about to close and will reconnect.
    if (code === 'shutting_down') return;
    if (code === 'unauthenticated' && owner.way() === 'socket') {
      question.carrier = {};
      void owner.recover().then((isRenewed) => {
        if (question !== queue[0]) return;
        question.carrier = undefined;
        if (!isRenewed) end(question, error);
      });
    } else if (code === 'not_found' && !isStarted && question.conversationId) {
      // The conversation was deleted meanwhile, or belongs to an earlier visitor of this browser.
      conversation.lose(question.conversationId);
      conversation.keep(question.home);
      proceed();
    } else end(question, error);
  }

  /** Ends the question, with an error if it failed. */
  function end(question: Question, error?: SessionError): void {
    const { isCancelled } = question;
    if (error) answers.fail(question, isCancelled ? new ServiceError('cancelled') : error);
    question.leave.abort();
    question.carrier = undefined;
    const at = queue.indexOf(question);
    if (at < 0) return;
    queue.splice(at, 1);
    conversation.catchUp();
    // No further question would detect a recovery, so look for a connection again.
    if (!queue[0] && failures > 0) reached();
    proceed();
  }

  function receive(frame: AnswerStep): void {
    const [question] = queue;
    if (!question || frame.id !== question.id) return;
    if (frame.type !== 'error') {
      const isOver = answers.take(question, frame);
      // The service answers this question even if nobody listens. A reader of another conversation does not wait for
      // it.
      const isLeft = question.started && question.home !== conversation.home();
      if (isOver || (isLeft && owner.way() === 'socket')) end(question);
      return;
    }
    const { code, partial } = frame;
    question.isCancelled ||= code === 'cancelled';
    if (partial) {
      answers.finish(question, partial, frame);
      end(question);
    } else refuse(question, frame);
  }

  return {
    ask(text) {
      const question = makeQuestion(randomId(), text, conversation.home());
      answers.ask(question.key, text);
      add(question);
    },
    retry(key, text) {
      answers.again(key);
      add(makeQuestion(key, text, conversation.home()));
    },
    cancel(key) {
      const question = queue.find((one) => one.key === key || one.answerKey === key);
      if (!question) return;
      const { id, carrier, started } = question;
      question.isCancelled = true;
      // An answer over the socket reports its own end.
      if (carrier && owner.send({ type: 'cancel', id })) return;
      if (started) {
        requests.open('POST', `${pathOf(started)}/cancel`).catch(() => undefined);
        if (carrier) return;
      }
      end(question, new ServiceError('cancelled'));
    },
    isBusy: () => queue.length > 0,
    follow(key, text, started, isElsewhere) {
      const place = queue[0]?.carrier ? 1 : 0;
      queue.splice(place, 0, makeQuestion(key, text, conversation.home(), started, isElsewhere));
      proceed();
    },
    receive,
    proceed,
    interrupt() {
      for (const question of queue) question.carrier = undefined;
    },
    leave() {
      if (queue[0]?.started) end(queue[0]);
    },
    clear() {
      clearTimeout(timer);
      const all = queue.splice(0);
      for (const question of all) {
        question.leave.abort();
        question.carrier = undefined;
      }
      return all.filter(({ started }) => !started).map(({ text }) => text);
    },
  };
}

/** Errors of a service that is temporarily unreachable. */
const passing = ['offline', 'timeout', 'shutting_down'];
