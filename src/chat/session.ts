import type { FrameReply } from './protocol.js';

/*
 * The interface between the view and the service. The view shows a state and requests actions. The session handles
 * transport (WebSocket, server-sent events, plain requests), identity and browser storage.
 */

export type MessageStatus =
  /** Not sent yet: there is no connection. */
  | 'queued'
  /** Sent, but not acknowledged. */
  | 'sent'
  /** An answer that waits; `waitingFor` says for what. */
  | 'waiting'
  | 'streaming'
  | 'complete'
  /** An answer that broke off or was cancelled. */
  | 'incomplete'
  /** A question that could not be sent or answered. `error` names the reason; `retry` sends it again. */
  | 'failed';

export interface ChatMessage {
  /** Stays the same while the message is shown. */
  key: string;
  /** The service's id, once the message is stored there. */
  id?: number | undefined;
  /** `person`: a person behind the app has answered a question. `notice` names the notification. */
  role: 'user' | 'assistant' | 'person';
  /** Grows while the answer streams. */
  text: string;
  status: MessageStatus;
  waitingFor?: 'queue' | 'model' | undefined;
  /** For a finished answer: sources, mode, found, canRequest, unsupported, messageId … */
  reply?: FrameReply | undefined;
  notice?: ChatNotification | undefined;
  error?: SessionError | undefined;
  rating?: 'up' | 'down' | undefined;
  /** For an answer: whether its question was passed to a person, and whether that person has answered. */
  request?: 'sending' | 'filed' | 'answered' | 'failed' | undefined;
  /** ISO 8601, UTC. */
  timestamp: string;
}

export interface SessionError {
  /** A code of the service, or `offline` or `timeout`. */
  code: string;
  message: string;
  /** Seconds to wait before another attempt. */
  retryAfter?: number | undefined;
}

export interface ChatNotification {
  id: number;
  /** False for a warning, which no person wrote. */
  isAnswer: boolean;
  /** Empty when the question stands right above, in the conversation. */
  question: string;
  response: string;
  /** The conversation of the question. The answer is shown there. */
  conversationId: string | null;
  createdAt: string;
  read: boolean;
}

export interface ConversationItem {
  id: string;
  title: string;
  updatedAt: string;
}

export interface SessionIdentity {
  kind: 'visitor' | 'end_user';
  displayName: string | null;
  /** True when the panel need not ask for an address: it is known, or no mail is sent. Undefined until known. */
  hasEmail?: boolean | undefined;
}

/** Immutable: each change makes a new state, and a new object for each changed message. */
export interface SessionState {
  connection: 'connecting' | 'online' | 'reconnecting' | 'offline';
  /** The name of the organization; undefined until the service has answered. */
  organization?: string | undefined;
  /** Undefined until the service has answered. */
  identity: SessionIdentity | undefined;
  /**
   * A new object for each person who uses the widget: nothing shown to one may be visible to the next. A person whose
   * token had expired gets the same object when the page names them again.
   */
  person: object;
  /** True when the person signed in by the widget's own form, so that the widget offers to sign out. */
  signedIn: boolean;
  /** Why the widget can't be used at all: an invalid key, or an origin that is not allowed. */
  refused: SessionError | undefined;
  conversationId: string | undefined;
  messages: readonly ChatMessage[];
  /** The shown conversation was deleted elsewhere. */
  deleted: boolean;
  /** The stored messages of the conversation are being loaded. */
  restoring: boolean;
  suggestions: readonly string[];
  notifications: readonly ChatNotification[];
  /** Answers that came while the panel was closed, and unread notifications. */
  unread: number;
  messageLength: number;
}

export interface Session {
  readonly state: SessionState;
  /** Called after each change, at most once per frame while an answer streams. Returns a function that ends this. */
  subscribe(listener: (state: SessionState, before: SessionState) => void): () => void;
  send(text: string): void;
  /** Sends a failed question again, in its place. */
  retry(key: string): void;
  /** Cancels the running answer; its text so far stays. */
  cancel(key: string): void;
  newConversation(): void;
  /** The latest first, at most 20. */
  listConversations(): Promise<readonly ConversationItem[]>;
  openConversation(id: string): void;
  /** Deletes a conversation for good. If it is the shown one, a new one begins. Rejects with a SessionError. */
  deleteConversation(id: string): Promise<void>;
  /** Rates an answer; the same rating without a comment removes it. Resolves to true when it is stored. */
  rate(key: string, rating: 'up' | 'down', comment?: string): Promise<boolean>;
  /**
   * Files the question of an answer as a knowledge request. `email`: the asker wants a reply by mail. Undefined when no
   * person can be asked.
   */
  askPerson?: ((key: string, email?: string) => void) | undefined;
  /** Rejects with a SessionError. */
  signIn(email: string, password: string): Promise<void>;
  signOut(): void;
  /** True when there is a conversation from before the sign-in that can be continued. */
  hasEarlier?: (() => boolean) | undefined;
  /** Takes over and shows the conversation from before the sign-in, or deletes it for good. */
  settleEarlier?: ((isContinued: boolean) => void) | undefined;
  markNotificationRead(id: number): void;
  /** Tells the session whether the panel is open: unread messages are counted only while it is closed. */
  setVisible(visible: boolean): void;
}
