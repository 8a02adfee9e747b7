import type { AnswerMode, Source } from '../../answers/answer.js';
import type { TextRange } from '../../answers/check-support.js';
import type { Quote } from '../../knowledge/check-quotes.js';
import type { Language } from '../../language/language-pack.js';
import {
  flag,
  json,
  nullableFlag,
  plain,
  record,
  type RecordOf,
} from '../../platform/db/record.js';
import type { Channel } from '../../usage/payer.js';

export const conversations = record({
  id: plain<string>(),
  organizationId: plain<number>(),
  appId: plain<number | null>(),
  /** The owner: at most one of the three ids. Without any, the conversation belongs to the operator. */
  userId: plain<number | null>(),
  endUserId: plain<number | null>(),
  visitorId: plain<string | null>(),
  channel: plain<Channel>(),
  /** The beginning of its first question. */
  title: plain<string>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});
export type Conversation = RecordOf<typeof conversations>;

export const messages = record({
  id: plain<number>(),
  conversationId: plain<string>(),
  role: plain<'user' | 'assistant'>(),
  content: plain<string>(),
  /** `incomplete`: the model broke off, or the answer was cancelled. */
  status: plain<'complete' | 'incomplete'>(),
  language: plain<Language>(),
  mode: plain<AnswerMode | null>(),
  found: nullableFlag(),
  sources: json<Source[]>(),
  /** The sentences of an answer that no cited passage supports. */
  unsupported: json<TextRange[]>(),
  /** Internal entries behind an answer, cited or not. The text may reveal them, so only their readers see it. */
  internalEntries: json<Quote[]>(),
  /** The question of an answer; null for a question. */
  questionId: plain<number | null>(),
  /** Asked on a page of another app, or answered with such messages in view. No host's page shows it. */
  ofOtherApp: flag(),
  /** The page of a question and of its answer; null without one. */
  pageUrl: plain<string | null>(),
  /** Milliseconds from the question to the first word; null for an answer that was read as a whole. */
  firstWordMs: plain<number | null>(),
  /** Milliseconds from the question to the end; null for questions, and for answers from before it was measured. */
  totalMs: plain<number | null>(),
  /** The model that wrote the answer; null for a quotation. */
  model: plain<string | null>(),
  createdAt: plain<string>(),
});

export interface Message extends RecordOf<typeof messages> {
  /** True when the reader may no longer see text and sources of the answer (withholdMessages). */
  withheld: boolean;
}

export type NewMessage = Omit<Message, 'id' | 'withheld' | 'createdAt'>;

/** The files of an export. */
export const formats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof formats)[number];

export const ratings = ['up', 'down'] as const;
export type Rating = (typeof ratings)[number];

/** The asker's rating of an answer. */
export interface Feedback {
  rating: Rating;
  comment: string | null;
  updatedAt: string;
}

/** An answer that cites an entry, with its question. */
export interface CitingAnswer {
  id: number;
  conversationId: string;
  channel: Channel;
  /** Null for a question that is gone. */
  questionId: number | null;
  question: string | null;
  language: Language;
  found: boolean | null;
  status: 'complete' | 'incomplete';
  mode: AnswerMode | null;
  rating: Rating | null;
  createdAt: string;
}

/** Since the question came, in whole milliseconds. */
export interface AnswerTimes {
  /** Null for an answer that is read as a whole. */
  firstWordMs: number | null;
  totalMs: number;
}

/** How long an answer took, and which model wrote it. */
export interface Making extends AnswerTimes {
  model: string | null;
}

export interface ListedMessage extends Omit<Message, keyof Making> {
  /** For staff, of answers that were measured. */
  made?: Making | undefined;
  feedback: Feedback | null;
  /** The question is being answered now. */
  answering: boolean;
  /** The question will not be answered: its answer failed, or its server ended. */
  interrupted: boolean;
}
