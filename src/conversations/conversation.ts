import type { AnswerMode, Source } from '../answers/answer.js';
import type { Language } from '../platform/text/languages.js';
import type { Channel } from '../usage/payer.js';

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
  /** `incomplete` when the model failed before the end. */
  status: 'complete' | 'incomplete';
  language: Language;
  mode: AnswerMode | null;
  found: boolean | null;
  sources: Source[];
  createdAt: string;
}

export type NewMessage = Omit<Message, 'id' | 'createdAt'> & {
  pageUrl: string | null;
  /** Of an answer: what it answers. */
  questionId?: number;
};

export const ratings = ['up', 'down'] as const;
export type Rating = (typeof ratings)[number];

/** What its asker thinks of an answer. */
export interface Feedback {
  rating: Rating;
  comment: string | null;
  updatedAt: string;
}

export interface RatedMessage extends Message {
  feedback: Feedback | null;
}
