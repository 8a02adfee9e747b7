import type { AnswerMode, Source } from '../../answers/answer.js';
import type { TextRange } from '../../answers/check-support.js';
import type { Quote } from '../../knowledge/check-quotes.js';
import type { Language } from '../../language/language-pack.js';
import type { Channel } from '../../usage/payer.js';

export interface Conversation {
  id: string;
  organizationId: number;
  appId: number | null;
  /** The owner: at most one of the three ids. Without any, the conversation belongs to the operator. */
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
  /** `incomplete`: the model broke off, or the answer was cancelled. */
  status: 'complete' | 'incomplete';
  language: Language;
  mode: AnswerMode | null;
  found: boolean | null;
  sources: Source[];
  /** The sentences of an answer that no cited passage supports. */
  unsupported: TextRange[];
  /** Internal entries behind an answer, cited or not. The text may reveal them, so only their readers see it. */
  internalEntries: Quote[];
  /** The question of an answer; null for a question. */
  questionId: number | null;
  /** Asked on a page of another app, or answered with such messages in view. No host's page shows it. */
  ofOtherApp: boolean;
  /** True when the reader may no longer see text and sources of the answer (withholdMessages). */
  withheld: boolean;
  createdAt: string;
}

export type NewMessage = Omit<Message, 'id' | 'withheld' | 'createdAt'> & {
  pageUrl: string | null;
};

export const ratings = ['up', 'down'] as const;
export type Rating = (typeof ratings)[number];

/** The asker's rating of an answer. */
export interface Feedback {
  rating: Rating;
  comment: string | null;
  updatedAt: string;
}

export interface ListedMessage extends Message {
  feedback: Feedback | null;
  /** The question is being answered now. */
  answering: boolean;
  /** The question will not be answered: its answer failed, or its server ended. */
  interrupted: boolean;
}
