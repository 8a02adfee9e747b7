import { nameOf, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { detectLanguage } from '../platform/text/languages.js';
import { shorten } from '../platform/text/shorten.js';
import { lookUp, type Question } from '../answers/answer-question.js';
import type { AskedPage } from '../answers/turn.js';
import { pageScope } from '../knowledge/page-scope.js';
import type { Channel } from '../usage/payer.js';
import { requireQuota } from '../usage/require-quota.js';
import type { Conversation } from './conversation.js';
import { claimAnswer } from './claim-answer.js';
import { askerOf, type Asker, type AskingActor } from './asker.js';
import { findConversation, insertConversation } from './conversations.repository.js';
import { maskIfWanted } from './mask-if-wanted.js';
import { insertMessage, lastMessagesOf } from './messages.repository.js';
import { readableTurns } from './readable-turns.js';

export interface MessageInput {
  message: string;
  /** The page that the asker looks at; undefined where there is none (a terminal). */
  page: AskedPage | undefined;
  conversationId?: string | undefined;
  channel: Channel;
  /**
   * Where it comes from (addressKey), by which visitors wait for the model: each of them is as many as it likes to be.
   */
  from?: string;
  /** Aborting it cancels the answer. */
  signal?: AbortSignal;
  /**
   * False where the answer is read as a whole: one that turns out to cite nothing can then still be replaced. Default:
   * true, its text is passed on as it comes.
   */
  streamed?: boolean;
}

/** A question as it was stored, with what answering it needs. */
export interface StoredQuestion {
  asker: Asker;
  conversation: Conversation;
  questionId: number;
  pageUrl: string | null;
  channel: Channel;
  question: Omit<Question, 'signal' | 'onEvent' | 'onSpent'>;
}

/** Earlier messages that a model is shown. */
const historyLength = 8;
const titleLength = 80;

/**
 * Stores a question in a conversation that is the actor's own, before anything is asked: a model that fails or a
 * process that dies loses none. Personal data is masked first. Refuses with `not_found` a conversation that is not the
 * actor's; with `quota_exceeded`, keeping nothing, where whoever pays has used up the month's units.
 */
export async function storeQuestion(
  app: App,
  actor: Actor,
  input: MessageInput,
): Promise<StoredQuestion> {
  const { channel } = input;
  const asker = askerOf(actor, channel);
  const text = maskIfWanted(app, input.message).trim();
  if (text === '') throw new AppError('invalid_request', 'The message is empty: write a question.');
  const page = input.page === undefined ? undefined : maskPage(app, input.page);
  const at = { url: input.page?.url, field: 'context.url' };
  // All at once: the first words of an answer wait for them. Whichever refuses first in this order is told.
  const checks = [
    existing(app, asker, input.conversationId),
    pageScope(app, asker.actor, at),
    requireQuota(app, {
      organizationId: asker.organizationId,
      channel,
      userId: asker.owner.userId ?? undefined,
    }),
  ] as const;
  await Promise.allSettled(checks);
  const known = await checks[0];
  const { scope, place } = await checks[1];
  await checks[2];
  const history = known === undefined ? [] : await lastMessagesOf(app, known.id, historyLength);
  const pageUrl = page?.url ?? null;
  const turns = await readableTurns(app, history, scope);
  const question = { text, scope, place, page, history: turns };
  const relevant = lookUp(app, question);
  // Whoever makes the answer is told: nobody does where the question can't be stored.
  relevant.catch(() => undefined);
  const { conversation, questionId } = await inTransaction(app, async (app) => {
    const conversation = known ?? (await begin(app, asker, channel, scope, text));
    const message = {
      conversationId: conversation.id,
      role: 'user' as const,
      status: 'complete' as const,
      language: detectLanguage(text),
      content: text,
      mode: null,
      found: null,
      sources: [],
      unsupported: [],
      questionId: null,
      pageUrl,
    };
    const stored = await insertMessage(app, message, { opens: known === undefined });
    await claimAnswer(app, stored.id);
    return { conversation, questionId: stored.id };
  });
  return {
    asker,
    conversation,
    questionId,
    pageUrl,
    channel,
    question: { ...question, relevant, caller: callerOf(asker.actor, input.from) },
  };
}

/** As requests are counted: a turn at the model for all visitors of an app from one address. */
function callerOf(actor: AskingActor, from: string | undefined): string {
  return actor.kind === 'visitor' && from !== undefined
    ? `app:${actor.appId} ${from}`
    : nameOf(actor);
}

function maskPage(app: App, page: AskedPage): AskedPage {
  const { url, title, selectedText, headings, language } = page;
  return {
    language,
    url: maskIfWanted(app, url),
    title: maskIfWanted(app, title),
    selectedText: selectedText === undefined ? undefined : maskIfWanted(app, selectedText),
    headings: headings?.map((heading) => maskIfWanted(app, heading)),
  };
}

async function begin(
  app: App,
  asker: Asker,
  channel: Channel,
  scope: Question['scope'],
  text: string,
): Promise<Conversation> {
  const { organizationId, owner } = asker;
  return insertConversation(app, {
    ...owner,
    appId: scope.organizationId === organizationId ? (scope.appId ?? null) : null,
    channel,
    title: shorten(text, titleLength),
  });
}

/** One's own alone: a reader of all conversations may not speak in somebody else's name. */
async function existing(
  app: App,
  asker: Asker,
  id: string | undefined,
): Promise<Conversation | undefined> {
  if (id === undefined) return undefined;
  const found = await findConversation(app, asker.owner, id);
  if (found === undefined)
    throw new AppError('not_found', `There is no conversation ${id} of yours.`);
  return found;
}
