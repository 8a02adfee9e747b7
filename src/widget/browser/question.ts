import type { AnswerFrame } from '../protocol.js';

/** A conversation, from before the service has given it an id. */
export interface Home {
  id: string | undefined;
  /** The newest message that is known to be stored. */
  newest: number;
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
  /** As it was sent. */
  conversationId: string | undefined;
  /** It may have arrived, whatever came back. */
  sent: boolean;
  /** Whoever carries it over a connection that holds: one that has waited too long finds itself replaced. */
  carrier: object | undefined;
  /** What its `started` said: from then on it is gone on with, and never sent again. */
  started: Started | undefined;
  /** The number of the last step that came. */
  after: number;
  /** Aborted once nobody waits for it any more. */
  leave: AbortController;
}

export type Started = Pick<
  Extract<AnswerFrame, { type: 'started' }>,
  'conversationId' | 'questionId'
>;

export function makeQuestion(key: string, text: string, home: Home, started?: Started): Question {
  return {
    ...{ id: randomId(), key, answerKey: randomId(), text, home, started, after: 0 },
    ...{ conversationId: started?.conversationId, sent: started !== undefined },
    carrier: undefined,
    leave: new AbortController(),
  };
}

/** Not crypto.randomUUID, which pages without TLS have not. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join(
    '',
  );
}
