import type { FrameReply } from './protocol.js';

/*
 * What stands between the view and the service: the view shows a state and asks for steps; how they travel (WebSocket,
 * server-sent events, plain requests), who is signed in and what is kept in the browser is the session's matter.
 */

export type MessageStatus =
  /** Not sent yet: there is no connection. */
  | 'queued'
  /** Sent, nothing came back. */
  | 'sent'
  /** Of an answer: what is waited for is in `waitingFor`. */
  | 'waiting'
  | 'streaming'
  | 'complete'
  /** Of an answer: it broke off, or was cancelled. */
  | 'incomplete'
  /** Of a question: it could not be sent or answered; `error` says why, `retry` sends it again. */
  | 'failed';

export interface ChatMessage {
  /** Stays the same for as long as the message is shown. */
  key: string;
  /** Of the service, once it is stored there. */
  id?: number | undefined;
  /** `person`: one of those behind the app has answered a question that was handed to them; `notice` tells which. */
  role: 'user' | 'assistant' | 'person';
  /** Grows while it streams. */
  text: string;
  status: MessageStatus;
  waitingFor?: 'queue' | 'model' | undefined;
  /** Of a finished answer: sources, mode, found, canRequest, unsupported, messageId … */
  reply?: FrameReply | undefined;
  notice?: ChatNotification | undefined;
  error?: SessionError | undefined;
  rating?: 'up' | 'down' | undefined;
  /** Of an answer: whether its question was handed to a person, and whether that person has answered. */
  request?: 'sending' | 'filed' | 'answered' | 'failed' | undefined;
  /** ISO 8601, UTC. */
  timestamp: string;
}

export interface SessionError {
  /** As the service has it, or `offline`, `timeout`. */
  code: string;
  message: string;
  /** Seconds after which to try again. */
  retryAfter?: number | undefined;
}

export interface ChatNotification {
  id: number;
  /** False for a warning, which no person wrote. */
  isAnswer: boolean;
  /** Empty where it stands right above, in the conversation. */
  question: string;
  response: string;
  /** That the question came from: the answer is shown there. */
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
  /** Whether no address is to be asked for: one is known, or no mail is sent. Undefined until the service has said. */
  hasEmail?: boolean | undefined;
}

/** Never changed in place: each change makes a new one, and a new object for each message that changed. */
export interface SessionState {
  connection: 'connecting' | 'online' | 'reconnecting' | 'offline';
  /** The name of whose assistant this is; undefined until the service has said. */
  organization?: string | undefined;
  /** Undefined until the service has said. */
  identity: SessionIdentity | undefined;
  /**
   * Changes with whoever uses the widget: what is shown of one is not to be seen by the next. Whose token had expired
   * is the same again when the page names them once more.
   */
  person: object;
  /** By the form of the widget itself, so that signing out is the widget's to offer. */
  signedIn: boolean;
  /** Why the widget can't be used at all: a key that does not hold, an origin that is not allowed. */
  refused: SessionError | undefined;
  conversationId: string | undefined;
  messages: readonly ChatMessage[];
  /** The conversation that was shown is no more: somebody deleted it elsewhere. */
  deleted: boolean;
  /** The stored messages of the conversation are on their way. */
  restoring: boolean;
  suggestions: readonly string[];
  notifications: readonly ChatNotification[];
  /** Answers that came while the panel was closed, and notifications not read. */
  unread: number;
  /** Characters of a message at most. */
  messageLength: number;
}

export interface Session {
  readonly state: SessionState;
  /** Called after each change, at most once a frame while an answer streams. Returns what ends it. */
  subscribe(listener: (state: SessionState, before: SessionState) => void): () => void;
  send(text: string): void;
  /** Sends a failed question again, in its place. */
  retry(key: string): void;
  /** Ends the answer that is under way; what was said is kept. */
  cancel(key: string): void;
  newConversation(): void;
  /** The latest first, 20 at most. */
  listConversations(): Promise<readonly ConversationItem[]>;
  openConversation(id: string): void;
  /** For good; the one that is shown gives way to a new one. Rejects with a SessionError. */
  deleteConversation(id: string): Promise<void>;
  /** The same again takes it back, unless a comment comes with it. Resolves to whether the service has it. */
  rate(key: string, rating: 'up' | 'down', comment?: string): Promise<boolean>;
  /**
   * Files the question of an answer as a knowledge request; `email` only where the asker wants to be written to.
   * Undefined where no person can be asked.
   */
  askPerson?: ((key: string, email?: string) => void) | undefined;
  /** Rejects with a SessionError. */
  signIn(email: string, password: string): Promise<void>;
  signOut(): void;
  /** Whether there is a conversation from before signing in to go on with. */
  hasEarlier?: (() => boolean) | undefined;
  /** Takes the conversation from before signing in along and shows it, or forgets it for good. */
  settleEarlier?: ((isContinued: boolean) => void) | undefined;
  markNotificationRead(id: number): void;
  /** The view tells whether the panel is open: unread counts only while it is not. */
  setVisible(visible: boolean): void;
}
