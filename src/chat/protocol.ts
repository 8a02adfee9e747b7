/*
 * The messages between widget and server over /widget/ws: one JSON object in each text frame. Both sides import this
 * file, so it must not import anything that a browser does not have.
 */

import type { WidgetLanguage } from './api-types.js';

export const socketPath = '/widget/ws';

export interface FieldContext {
  name: string;
  type: string;
  label?: string | undefined;
  placeholder?: string | undefined;
  required?: boolean | undefined;
  options?: string[] | undefined;
  /** Omitted unless the answer depends on it. */
  value?: string | undefined;
}

export interface FormContext {
  id?: string | undefined;
  action?: string | undefined;
  method?: string | undefined;
  fields: FieldContext[];
}

/** The page of a question. All of it is untrusted. */
export interface FrameContext {
  url: string;
  title: string;
  forms?: FormContext[] | undefined;
  selectedText?: string | undefined;
  pageStructure?: { headings: string[]; navigation: string[] } | undefined;
  /** The panel's language, used for the answer when the question's own language is unclear. */
  language?: WidgetLanguage | undefined;
}

/**
 * The first frame, sent within ten seconds, and again when a token was renewed. Contains a key, a user token or both,
 * and the visitor token of the last welcome, if any.
 */
export interface HelloFrame {
  type: 'hello';
  apiKey?: string | undefined;
  userToken?: string | undefined;
  visitorToken?: string | undefined;
}

/** A question. The client chooses its id, and every frame about its answer carries the id. */
export interface MessageFrame {
  type: 'message';
  id: string;
  message: string;
  context: FrameContext;
  conversationId?: string | undefined;
}

/**
 * Resumes an answer after a lost connection, with the ids of its `started` frame. The server continues after event
 * `after`; for a finished answer it sends only the end.
 */
export interface ResumeFrame {
  type: 'resume';
  id: string;
  conversationId: string;
  questionId: number;
  /** The `event` of the last frame that arrived; undefined to start at the beginning. */
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
  /** Store it and send it with the next hello: it opens the visitor's earlier conversations. Only for visitors. */
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
  /** The entry has changed since the answer. */
  changed?: true | undefined;
  /** The name of the source file. */
  document?: string | undefined;
  /** The address of its very place in a page of the web. */
  url?: string | undefined;
}

/** The answer to a question, in the same shape as of POST /widget/message. */
export interface FrameReply {
  response: string;
  conversationId: string;
  messageId: number;
  sources: FrameSource[];
  /** Null for small talk. */
  found: boolean | null;
  canRequest: boolean;
  status: 'complete' | 'incomplete';
  /** Sentences that no source supports, in UTF-16 units of the response; `to` is exclusive. */
  unsupported: { from: number; to: number }[];
  /** An old answer that may not be shown any more. The response says so, and there are no sources. */
  withheld: boolean;
  /** Only with small talk: suggested questions for the page. */
  suggestions?: string[] | undefined;
  mode: 'ollama' | 'extractive';
  language: string;
}

/** A step of an answer. `event` numbers the steps from 1. */
export type AnswerFrame = { id: string; event: number } & (
  | { type: 'started'; conversationId: string; questionId: number }
  | { type: 'waiting'; for: 'queue' | 'model' }
  | { type: 'delta'; text: string }
  | ({ type: 'done' } & FrameReply)
);

/** An error of the answer with this id; without an id, of the last sent frame. `partial` is the text so far. */
export interface ErrorFrame {
  type: 'error';
  id?: string | undefined;
  code: string;
  message: string;
  errors?: { path: string; message: string }[] | undefined;
  /** Seconds to wait before another attempt. */
  retryAfter?: number | undefined;
  partial?: FrameReply | undefined;
}

/** A person has answered a question that was passed to them. Earlier ones come from GET /widget/notifications. */
export interface NotificationFrame {
  type: 'notification';
  notification: {
    id: number;
    /** `account_linked` is a warning. All other kinds are answers to a question. */
    kind: string;
    question: string;
    response: string;
    url: string | null;
    /** The conversation of the question. The answer belongs there. */
    conversation_id: string | null;
    created_at: string;
  };
}

export interface PongFrame {
  type: 'pong';
}

export type ServerFrame = WelcomeFrame | AnswerFrame | ErrorFrame | NotificationFrame | PongFrame;

/** Codes with which the server closes a connection, besides those of RFC 6455. */
export const closeCodes = {
  /** The server stops: reconnect in a moment. */
  goingAway: 1001,
  unsupportedData: 1003,
  /** The client sends or stores more than it may. */
  policyViolation: 1008,
  /** The server can't check the hello for now: reconnect in a moment. */
  tryAgainLater: 1013,
  /** A frame is too large, in particular one before the hello. */
  tooLarge: 1009,
  /** The hello is missing or invalid. */
  unauthenticated: 4401,
  /** The page's origin is not registered for the app. */
  originNotAllowed: 4403,
  tooManySockets: 4429,
} as const;
