import type { AnswerMode, Source } from '../../answers/answer.js';
import type { TextRange } from '../../answers/check-support.js';
import type { Quote } from '../../knowledge/check-quotes.js';
import type { Language } from '../../language/language-pack.js';
import type { Channel } from '../../usage/payer.js';

export interface Conversation {
  id: string;
  organizationId: number;
  appId: number | null;
  /** Whose it is: at most one of the three; with none of them it is the operator's. */
  userId: number | null;
  endUserId: number | null;
  visitorId: string | null;
  channel: Channel;
  /** The beginning of its first question. */
  title: string;
  createdAt: string;
  updatedAt: string;
}

export interface Message {
  id: number;
  conversationId: string;
  role: 'user' | 'assistant';
  content: string;
  /** `incomplete` when the model failed before the end, or was cancelled. */
  status: 'complete' | 'incomplete';
  language: Language;
  mode: AnswerMode | null;
  found: boolean | null;
  sources: Source[];
  /** Sentences of an answer that no cited passage bears out. */
  unsupported: TextRange[];
  /**
   * Entries for staff alone that an answer was made from, cited or not: its text may tell of them, and
   * a reader who may not open them is not shown it.
   */
  internalEntries: Quote[];
  /** The message that an answer answers; null for a question. */
  questionId: number | null;
  /**
   * Asked on a page of another app than the conversation's, or answered in the light of such messages: no host's page
   * shows it.
   */
  ofOtherApp: boolean;
  /** An answer of which its reader may be shown neither text nor sources any more (withholdMessages). */
  withheld: boolean;
  createdAt: string;
}

export type NewMessage = Omit<Message, 'id' | 'withheld' | 'createdAt'> & {
  pageUrl: string | null;
};

export const ratings = ['up', 'down'] as const;
export type Rating = (typeof ratings)[number];

/** What its asker thinks of an answer. */
export interface Feedback {
  rating: Rating;
  comment: string | null;
  updatedAt: string;
}

/** A message as it is listed. */
export interface ListedMessage extends Message {
  feedback: Feedback | null;
  /** A question that is being answered right now. */
  answering: boolean;
  /** A question that nothing answers any more: its answer failed, or its server ended before. */
  interrupted: boolean;
}
