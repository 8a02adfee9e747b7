import {
  ownTiers,
  requirePermission,
  tiersAt,
  type Actor,
  type Member,
} from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { detectLanguage } from '../platform/text/languages.js';
import { answerQuestion, type Question } from '../answers/answer-question.js';
import type { Answer } from '../answers/answer.js';
import { matchesPattern } from '../knowledge/match-pattern.js';
import { findSite } from '../tenancy/find-site.js';
import { claimsOn } from '../tenancy/page-address.js';
import type { Channel } from '../usage/payer.js';
import { recordUsage } from '../usage/record-usage.js';
import { requireQuota } from '../usage/require-quota.js';
import type { Conversation, NewMessage } from './conversation.js';
import { findConversation, insertConversation } from './conversations.repository.js';
import { maskIfWanted } from './mask-if-wanted.js';
import { insertMessage, lastMessagesOf } from './messages.repository.js';

export interface MessageInput {
  message: string;
  /** The page that the asker looks at; undefined where there is none (a terminal). */
  page: { url: string; title: string } | undefined;
  conversationId?: string | undefined;
  channel: Channel;
  signal?: AbortSignal;
}

export interface MessageResult {
  conversationId: string;
  messageId: number;
  answer: Answer;
}

/** Earlier messages that a model is shown. */
const historyLength = 8;
const titleLength = 80;

/**
 * Answers a message with the knowledge that the actor may see at that page, and keeps both in a conversation
 * that is the actor's own. Personal data is masked before anything is stored or sent.
 * Refuses with `not_found` a conversation that is not the actor's, or that was deleted before the answer came;
 * with `quota_exceeded`, keeping nothing, where whoever pays has used up the month's units.
 */
export async function sendMessage(
  app: App,
  actor: Actor,
  input: MessageInput,
): Promise<MessageResult> {
  const member = requirePermission(actor, 'ask');
  const text = maskIfWanted(app, input.message).trim();
  if (text === '') throw new AppError('invalid_request', 'The message is empty: write a question.');
  const page =
    input.page === undefined
      ? undefined
      : { url: maskIfWanted(app, input.page.url), title: maskIfWanted(app, input.page.title) };
  const known = await existing(app, member, input.conversationId);
  const { scope, place } = await whatMaySee(app, member, input.page?.url);
  await requireQuota(app, {
    organizationId: member.organizationId,
    channel: input.channel,
    userId: userIdOf(member) ?? undefined,
  });
  const history = known === undefined ? [] : await lastMessagesOf(app, known.id, historyLength);
  // Stored before anything is asked: a model that fails or a process that dies loses no question.
  const asked = await inTransaction(app, async (app) => {
    const conversation = known ?? (await begin(app, member, input.channel, scope, text));
    const common = {
      conversationId: conversation.id,
      status: 'complete' as const,
      language: detectLanguage(text),
      pageUrl: page?.url ?? null,
    };
    const question = await insertMessage(app, {
      ...common,
      role: 'user',
      content: text,
      mode: null,
      found: null,
      sources: [],
    });
    return { conversation, common, questionId: question.id };
  });
  const answer = await answerQuestion(app, {
    text,
    scope,
    place,
    page,
    history: history.map(({ role, content }) => ({ role, content })),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  });
  app.tallies.answers.add({ mode: answer.mode, found: String(answer.found) });
  const messageId = await inTransaction(app, (app) =>
    storeReply(app, member, input, asked, answer),
  );
  if (messageId === undefined) {
    const sentence = 'The conversation was deleted while its question was answered. Ask again.';
    throw new AppError('not_found', sentence);
  }
  return { conversationId: asked.conversation.id, messageId, answer };
}

async function begin(
  app: App,
  member: Member,
  channel: Channel,
  scope: Question['scope'],
  text: string,
): Promise<Conversation> {
  const { organizationId } = member;
  return insertConversation(app, {
    organizationId,
    appId: scope.organizationId === organizationId ? (scope.appId ?? null) : null,
    userId: userIdOf(member),
    channel,
    title: shorten(text),
  });
}

/** Stores the answer and what it cost; answers its id, or undefined when the conversation was deleted meanwhile. */
async function storeReply(
  app: App,
  member: Member,
  input: MessageInput,
  asked: {
    conversation: Conversation;
    common: Pick<NewMessage, 'conversationId' | 'status' | 'pageUrl'>;
    questionId: number;
  },
  answer: Answer,
): Promise<number | undefined> {
  const { language, text: content, mode, found, sources, complete } = answer;
  const { organizationId } = member;
  const owner = { organizationId, userId: userIdOf(member) };
  const present = await findConversation(app, owner, asked.conversation.id);
  const reply =
    present === undefined
      ? undefined
      : await insertMessage(app, {
          ...asked.common,
          status: complete ? 'complete' : 'incomplete',
          role: 'assistant',
          language,
          content,
          mode,
          found,
          sources,
        });
  await recordUsage(app, {
    organizationId,
    appId: asked.conversation.appId,
    // What is deleted while it is answered has cost the same: else a deletion in time would be free.
    messageId: reply?.id ?? asked.questionId,
    channel: input.channel,
    units: answer.units,
    userId: userIdOf(member) ?? undefined,
  });
  return reply?.id;
}

function userIdOf(member: Member): number | null {
  return member.kind === 'user' ? member.userId : null;
}

/** One's own alone: a reader of all conversations may not speak in somebody else's name. */
async function existing(
  app: App,
  member: Member,
  id: string | undefined,
): Promise<Conversation | undefined> {
  if (id === undefined) return undefined;
  const owner = { organizationId: member.organizationId, userId: userIdOf(member) };
  const found = await findConversation(app, owner, id);
  if (found === undefined)
    throw new AppError('not_found', `There is no conversation ${id} of yours.`);
  return found;
}

/**
 * The rights of the search: at a registered page those that the page query gives, elsewhere the actor's own
 * in the whole organization.
 */
async function whatMaySee(
  app: App,
  member: Member,
  url: string | undefined,
): Promise<Pick<Question, 'scope' | 'place'>> {
  const site = url === undefined ? undefined : await findSite(app, url, 'context.url');
  if (site?.app === undefined) {
    const { organizationId } = member;
    return {
      scope: { organizationId, appId: undefined, tiers: ownTiers(member) },
      place: undefined,
    };
  }
  const { organizationId, id: appId } = site.app;
  return {
    scope: { organizationId, appId, tiers: tiersAt(member, { organizationId, appId }) },
    place: {
      viewId: undefined,
      domains: claimsOn(site.host),
      matches: (pattern) => matchesPattern(pattern, site.path),
    },
  };
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > titleLength ? `${line.slice(0, titleLength - 1)}…` : line;
}
