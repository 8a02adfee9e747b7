import type { AnswerFrame, ErrorFrame } from '../protocol.js';

/** A step of an answer, by socket or request. */
export type AnswerStep = AnswerFrame | ErrorFrame;

/** A conversation that may not have an id of the service yet. */
export interface Home {
  id: string | undefined;
}

/** A question under way, and the progress of its answer. The attempts to send it change it in place. */
export interface Question {
  /** The id in its frames. */
  id: string;
  /** The key of the message that shows the question. */
  key: string;
  /** The key of the message that shows the answer. */
  answerKey: string;
  text: string;
  /** The conversation in which it was asked, whichever one is shown now. */
  home: Home;
  /** The text as it was sent. */
  message: string;
  conversationId: string | undefined;
  /** True when it may have arrived, even without an acknowledgement. */
  sent: boolean;
  /** The newest message that was known to be stored when the question was sent. */
  since: number;
  /** Identifies the attempt that sends the question now. An older attempt finds another object here, and stops. */
  carrier: object | undefined;
  /** The ids of its `started` frame. From then on it is resumed and never sent again. */
  started: Started | undefined;
  /** Asked in another tab of this browser, which announced it. */
  isElsewhere: boolean;
  /** The asker has cancelled it: any end then counts as cancelled. */
  isCancelled: boolean;
  /** The number of the last received step. */
  after: number;
  /** Aborted when nobody waits for it any more. */
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
    id: randomId(),
    key,
    answerKey: randomId(),
    text,
    home,
    started,
    isElsewhere,
    message: text,
    conversationId: started?.conversationId,
    sent: !!started,
    since: 0,
    after: 0,
    isCancelled: false,
    carrier: undefined,
    leave: new AbortController(),
  };
}

/** The path of the endpoints for one question. */
export function pathOf({ conversationId, questionId }: Started): string {
  return `/conversations/${encodeURIComponent(conversationId)}/messages/${questionId}`;
}

/** crypto.randomUUID is missing on pages without TLS. */
export function randomId(): string {
  return crypto.getRandomValues(new Uint32Array(3)).join('');
}
