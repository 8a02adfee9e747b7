import type { AnswerFrame, ErrorFrame } from '../protocol.js';

/** What comes of a question, whichever way it went. */
export type AnswerStep = AnswerFrame | ErrorFrame;

/** A conversation, from before the service has given it an id. */
export interface Home {
  id: string | undefined;
}

/** A question on its way, and how far its answer has come. Changed in place by those who carry it. */
export interface Question {
  /** Of the frames about it. */
  id: string;
  /** Of the message that shows it. */
  key: string;
  /** Of the message that shows its answer. */
  answerKey: string;
  text: string;
  /** The conversation that it was asked in, whichever is shown by now. */
  home: Home;
  /** As they were sent. */
  message: string;
  conversationId: string | undefined;
  /** It may have arrived, whatever came back. */
  sent: boolean;
  /** The newest message that was known to be stored when it was sent. */
  since: number;
  /** Whoever carries it over a connection that holds: one that has waited too long finds itself replaced. */
  carrier: object | undefined;
  /** What its `started` said: from then on it is gone on with, and never sent again. */
  started: Started | undefined;
  /** Asked in another tab of this browser, which tells of it. */
  isElsewhere: boolean;
  /** Whoever asked wants no answer any more: whatever ends it, it was cancelled. */
  isCancelled: boolean;
  /** The number of the last step that came. */
  after: number;
  /** Aborted once nobody waits for it any more. */
  leave: AbortController;
}

export type Started = Pick<
  Extract<AnswerFrame, { type: 'started' }>,
  'conversationId' | 'questionId'
>;

export function makeQuestion(
  key: string,
  text: string,
  home: Home,
  started?: Started,
  isElsewhere = false,
): Question {
  return {
    ...{ id: randomId(), key, answerKey: randomId(), text, home, started, isElsewhere },
    ...{ message: text, conversationId: started?.conversationId, sent: !!started },
    ...{ since: 0, after: 0, isCancelled: false, carrier: undefined, leave: new AbortController() },
  };
}

/** Of the endpoints about one question. */
export function pathOf({ conversationId, questionId }: Started): string {
  return `/conversations/${encodeURIComponent(conversationId)}/messages/${questionId}`;
}

/** Not crypto.randomUUID, which pages without TLS have not. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(3)).join('');
}
