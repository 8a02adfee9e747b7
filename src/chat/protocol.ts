/*
 * What widget and server say to each other over /widget/ws: one JSON object in each text frame. Read by both sides, so
 * that nothing here may import what a browser does not have.
 */

/** Where the server listens for WebSockets. */
export const socketPath = '/widget/ws';

/** A field of a form on the page. */
export interface FieldContext {
  name: string;
  type: string;
  label?: string | undefined;
  placeholder?: string | undefined;
  required?: boolean | undefined;
  options?: string[] | undefined;
  /** Left out unless the answer depends on it. */
  value?: string | undefined;
}

export interface FormContext {
  id?: string | undefined;
  action?: string | undefined;
  method?: string | undefined;
  fields: FieldContext[];
}

/** The page that a question is asked on. Untrusted, every word of it. */
export interface FrameContext {
  url: string;
  title: string;
  forms?: FormContext[] | undefined;
  selectedText?: string | undefined;
  pageStructure?: { headings: string[]; navigation: string[] } | undefined;
  /** Of the panel: to be answered in where the question's own words tell no language. */
  language?: 'en' | 'es' | 'de' | undefined;
}

/**
 * The first frame, within ten seconds; again, when a token was renewed. A key or a user token, or both; the visitor
 * token of the last welcome, if there was one.
 */
export interface HelloFrame {
  type: 'hello';
  apiKey?: string | undefined;
  userToken?: string | undefined;
  visitorToken?: string | undefined;
}

/** A question, named by an id of the client's own choice, which all frames about its answer bear. */
export interface MessageFrame {
  type: 'message';
  id: string;
  message: string;
  context: FrameContext;
  conversationId?: string | undefined;
}

/**
 * Goes on with an answer after the connection was lost, by what its `started` said: with the event behind `after`,
 * or, once it is over, with its end alone.
 */
export interface ResumeFrame {
  type: 'resume';
  id: string;
  conversationId: string;
  questionId: number;
  /** The `event` of the last frame that arrived; none to begin at the beginning. */
  after?: number | undefined;
}

export interface CancelFrame {
  type: 'cancel';
  id: string;
}

export interface PingFrame {
  type: 'ping';
}

export type ClientFrame = HelloFrame | MessageFrame | ResumeFrame | CancelFrame | PingFrame;

export interface WelcomeFrame {
  type: 'welcome';
  /** To be kept, and sent with the next hello: without it nothing asked before is shown. Visitors only. */
  visitorToken?: string | undefined;
  identity: 'visitor' | 'end_user';
  limits: { messageLength: number; messagesAtOnce: number };
}

export interface FrameSource {
  type: 'knowledge';
  number: number;
  id: string;
  title: string;
  url_pattern: string;
  excerpt: string;
  pages?: { from: number; to: number } | undefined;
  /** The entry says something else since. */
  changed?: true | undefined;
  /** The name of the file that it comes from. */
  document?: string | undefined;
}

/** What is answered to a question, as POST /widget/message has it. */
export interface FrameReply {
  response: string;
  conversationId: string;
  messageId: number;
  sources: FrameSource[];
  /** Null for small talk. */
  found: boolean | null;
  canRequest: boolean;
  status: 'complete' | 'incomplete';
  /** The sentences that no source bears out, in UTF-16 units of the response; `to` is not included. */
  unsupported: { from: number; to: number }[];
  /** An old answer that may not be shown any more: the response says so, and there are no sources. */
  withheld: boolean;
  /** With small talk alone: what may be asked on the page. */
  suggestions?: string[] | undefined;
  mode: 'ollama' | 'extractive';
  language: string;
}

/** A step of an answer; `event` counts the steps, from 1. */
export type AnswerFrame = { id: string; event: number } & (
  | { type: 'started'; conversationId: string; questionId: number }
  | { type: 'waiting'; for: 'queue' | 'model' }
  | { type: 'delta'; text: string }
  | ({ type: 'done' } & FrameReply)
);

/** A refusal: of an answer where there is an id, else of what was last sent. `partial`: what had been said by then. */
export interface ErrorFrame {
  type: 'error';
  id?: string | undefined;
  code: string;
  message: string;
  errors?: { path: string; message: string }[] | undefined;
  /** Seconds after which to try again. */
  retryAfter?: number | undefined;
  partial?: FrameReply | undefined;
}

/**
 * Somebody has answered what was handed to a person. Of what came before the welcome, GET /widget/notifications tells.
 */
export interface NotificationFrame {
  type: 'notification';
  notification: {
    id: number;
    /** `account_linked` is a warning; all others are answers to a question. */
    kind: string;
    question: string;
    response: string;
    /** The page that the question was about. */
    url: string | null;
    /** The conversation that it came from: the answer belongs there. */
    conversation_id: string | null;
    created_at: string;
  };
}

export interface PongFrame {
  type: 'pong';
}

export type ServerFrame = WelcomeFrame | AnswerFrame | ErrorFrame | NotificationFrame | PongFrame;

/** Why the server ends a connection, beyond the codes of RFC 6455. */
export const closeCodes = {
  /** The server stops: come back in a moment. */
  goingAway: 1001,
  /** A binary frame. */
  unsupportedData: 1003,
  /** A client that sends or keeps more than it may. */
  policyViolation: 1008,
  /** A frame, above all one before the hello. */
  tooLarge: 1009,
  /** No hello, or one that does not hold. */
  unauthenticated: 4401,
  /** A page that is not registered for the app. */
  originNotAllowed: 4403,
  tooManySockets: 4429,
} as const;
