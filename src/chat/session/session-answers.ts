import type { AnswerFrame, FrameReply } from '../protocol.js';
import type { AssistantEvents } from '../api-types.js';
import type { Question } from './question.js';
import type { ChatMessage, SessionError } from '../session.js';
import type { Conversation } from './session-conversation.js';
import type { SessionStore } from './session-state.js';

export type Emit = <E extends 'message' | 'error'>(event: E, payload: AssistantEvents[E]) => void;

/** Shows questions and their progress. */
export interface Answers {
  ask(key: string, text: string): void;
  /** The service has the question; an answer is awaited. */
  expect(question: Question): void;
  /** Applies a step. Returns true when the answer is complete. */
  take(question: Question, step: AnswerFrame): boolean;
  /** Ends the answer; `error` when it broke off. */
  finish(question: Question, reply: FrameReply, error?: SessionError): void;
  fail(question: Question, error: SessionError): void;
  /** Makes a failed question wait again, and removes its error and answer. */
  again(key: string): void;
}

export interface AnswersOwner {
  store: SessionStore;
  emit: Emit;
  /** ISO 8601. */
  now: () => string;
  /** A message is known to be stored, and its conversation is known. */
  onStored: Conversation['onStored'];
  onAnswered: () => void;
  /** The page's suggestions; undefined when the service provides them. */
  suggestions: () => string[] | undefined;
}

export function createAnswers(owner: AnswersOwner): Answers {
  const { store, emit, now, onStored, onAnswered, suggestions } = owner;
  function place(message: ChatMessage, behind: string): void {
    const { messages } = store.state;
    const at = messages.findIndex(({ key }) => key === behind) + 1;
    store.set({ messages: [...messages.slice(0, at), message, ...messages.slice(at)] });
  }

  function remove(key: string | undefined): void {
    store.set({ messages: store.state.messages.filter((message) => message.key !== key) });
  }

  function add(key: string, text: string): void {
    const message: ChatMessage = { key, role: 'user', text, status: 'queued', timestamp: now() };
    store.set({ messages: [...store.state.messages, message], deleted: false });
  }

  function tell({ code, message }: SessionError): void {
    if (code !== 'cancelled') emit('error', { code, message });
  }

  function finish(question: Question, reply: FrameReply, given?: SessionError): void {
    const { response: text, status, messageId: id } = reply;
    const isStopped = question.isCancelled && status === 'incomplete';
    const error = isStopped ? { code: 'cancelled', message: 'cancelled' } : given;
    // The page's suggestions replace those of the service.
    reply.suggestions &&= suggestions() ?? reply.suggestions;
    store.setMessage(question.key, { status: 'complete' });
    store.setMessage(question.answerKey, { id, text, status, reply, error });
    onStored(question, id, reply.conversationId);
    if (question.isElsewhere) return;
    if (error) tell(error);
    emit('message', { text, role: 'assistant', timestamp: now() });
    onAnswered();
  }

  return {
    ask(key, text) {
      add(key, text);
      emit('message', { text, role: 'user', timestamp: now() });
    },
    expect({ key, answerKey }) {
      store.setMessage(key, { status: 'sent' });
      if (!store.message(key) || store.message(answerKey)) return;
      const blank = { role: 'assistant', text: '', status: 'waiting' } as const;
      place({ key: answerKey, ...blank, timestamp: now() }, key);
    },
    take(question, step) {
      if (step.event <= question.after) return false;
      question.after = step.event;
      const { answerKey: key } = question;
      switch (step.type) {
        case 'started': {
          const { conversationId, questionId } = step;
          question.started = { conversationId, questionId };
          store.setMessage(question.key, { id: questionId });
          onStored(question, questionId, conversationId);
          return false;
        }
        case 'waiting':
          store.setMessage(key, { waitingFor: step.for }, true);
          return false;
        case 'delta': {
          const text = (store.message(key)?.text ?? '') + step.text;
          store.setMessage(key, { text, status: 'streaming' }, true);
          return false;
        }
        case 'done':
          finish(question, step);
          return true;
      }
    },
    finish,
    fail({ key, answerKey, text }, error) {
      // The conversation was left, but its question must not be lost.
      if (!store.message(key)) add(key, text);
      if (store.message(answerKey)?.text === '') remove(answerKey);
      else store.setMessage(answerKey, { status: 'incomplete', error });
      store.setMessage(key, { status: 'failed', error });
      tell(error);
    },
    again(key) {
      const { messages } = store.state;
      const next = messages[messages.findIndex((one) => one.key === key) + 1];
      if (next?.role === 'assistant') remove(next.key);
      store.setMessage(key, { status: 'queued' });
    },
  };
}
