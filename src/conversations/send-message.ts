import { ownTiers, tiersAt, type Actor } from '../platform/actor.js';
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
import { askerOf, type Asker, type AskingActor } from './asker.js';
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
  const asker = askerOf(actor, input.channel);
  const text = maskIfWanted(app, input.message).trim();
  if (text === '') throw new AppError('invalid_request', 'The message is empty: write a question.');
  const page =
    input.page === undefined
      ? undefined
      : { url: maskIfWanted(app, input.page.url), title: maskIfWanted(app, input.page.title) };
  const known = await existing(app, asker, input.conversationId);
  const { scope, place } = await whatMaySee(app, asker.actor, input.page?.url);
  await requireQuota(app, {
    organizationId: asker.organizationId,
    channel: input.channel,
    userId: asker.owner.userId ?? undefined,
  });
  const history = known === undefined ? [] : await lastMessagesOf(app, known.id, historyLength);
  // Stored before anything is asked: a model that fails or a process that dies loses no question.
  const asked = await inTransaction(app, async (app) => {
    const conversation = known ?? (await begin(app, asker, input.channel, scope, text));
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
  const messageId = await inTransaction(app, (app) => storeReply(app, asker, input, asked, answer));
  if (messageId === undefined) {
    const sentence = 'The conversation was deleted while its question was answered. Ask again.';
    throw new AppError('not_found', sentence);
  }
  return { conversationId: asked.conversation.id, messageId, answer };
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
    title: shorten(text),
  });
}

/** Stores the answer and what it cost; answers its id, or undefined when the conversation was deleted meanwhile. */
async function storeReply(
  app: App,
  asker: Asker,
  input: MessageInput,
  asked: {
    conversation: Conversation;
    common: Pick<NewMessage, 'conversationId' | 'status' | 'pageUrl'>;
    questionId: number;
  },
  answer: Answer,
): Promise<number | undefined> {
  const { language, text: content, mode, found, sources, complete } = answer;
  const { organizationId, owner } = asker;
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
    userId: owner.userId ?? undefined,
  });
  return reply?.id;
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

/**
 * The rights of the search: at a registered page those that the page query gives, elsewhere the actor's own
 * in the whole organization, or in the app whose widget is used.
 */
async function whatMaySee(
  app: App,
  actor: AskingActor,
  url: string | undefined,
): Promise<Pick<Question, 'scope' | 'place'>> {
  const site = url === undefined ? undefined : await findSite(app, url, 'context.url');
  // What a page claims to be its address opens no other app to a widget.
  const ownApp = 'appId' in actor ? actor.appId : undefined;
  if (site?.app === undefined || (ownApp ?? site.app.id) !== site.app.id) {
    const { organizationId } = actor;
    return {
      scope: { organizationId, appId: ownApp, tiers: ownTiers(actor) },
      place: undefined,
    };
  }
  const { organizationId, id: appId } = site.app;
  return {
    scope: { organizationId, appId, tiers: tiersAt(actor, { organizationId, appId }) },
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
