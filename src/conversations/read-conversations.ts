import { may, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Keyed, KeyPage, Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { chooseApp } from '../tenancy/choose-app.js';
import type { Channel } from '../usage/payer.js';
import { readSpan, type SpanInput } from './span.js';
import { askerOf, reachOf, type AskingActor } from './store/asker.js';
import type { Conversation, ListedMessage, Message } from './store/conversation.js';
import type { ConversationFilter } from './store/conversation-filter.repository.js';
import {
  countByWords,
  latestByWords,
  walkByWords,
  type ListedConversations,
} from './store/conversation-words.repository.js';
import {
  countConversationsTo,
  findConversation,
  listConversationsOf,
  walkConversations,
  type ConversationReach,
  type WalkOrder,
} from './store/conversations.repository.js';
import { findFeedbackOn } from './store/feedback.repository.js';
import { findReplied, listMessagesOf } from './store/messages.repository.js';
import { isAnswering, noteReader } from './answering/running-answers.js';
import { findClaimed } from './store/running-answers.repository.js';
import { withholdMessages } from './store/withhold-messages.js';

export type { ListedConversations } from './store/conversation-words.repository.js';

/** The filter of a list of conversations. */
export interface ConversationInput extends ConversationFilter, Pick<SpanInput, 'from' | 'to'> {}

/**
 * A page of the conversations that the actor may read: its own or, for staff, the organization's; no filter widens
 * that. Errors: `not_found` for an app of another organization, as readSpan does; `forbidden` for words of somebody who
 * may not read all: they would tell of answers that are withheld by now. End users and visitors have conversations only
 * in the widget: for them `over` must be `widget`, in every function here.
 */
export async function listConversations(
  app: App,
  actor: Actor,
  input: Page & ConversationInput,
  over?: Channel,
): Promise<Paged<Conversation>> {
  const reach = readableBy(actor, over);
  return listConversationsOf(app, reach, await readFilter(app, actor, input), input);
}

/** More than this are told as "1,000+": counting all of many takes longer than listing some. */
export const mostCounted = 1000;

/** As many messages with words are looked at before somebody asks for older ones. */
export const mostLookedAt = 5000;

/** The next conversations of such a list by key, and how many fit in all, counted up to one more than mostCounted. */
export async function walkConversationList(
  app: App,
  actor: Actor,
  input: KeyPage & ConversationInput,
): Promise<ListedConversations> {
  const owner = readableBy(actor);
  const filter = await readFilter(app, actor, input);
  const { after, limit } = input;
  const page = { after, limit, order: 'latest' } as const;
  const most = mostCounted + 1;
  const { q: words } = filter;
  if (words === undefined) {
    const total = await countMatching(app, owner, filter, most);
    const areMany = total === most;
    const found = await walkConversations(app, owner, filter, { ...page, areMany });
    return { ...found, total, isPart: false };
  }
  if (after === undefined)
    return latestByWords(app, { owner, filter, words }, { limit, most, mostLookedAt });
  const total = await countMatching(app, owner, filter, most);
  return { ...(await walkMatching(app, owner, filter, page)), total, isPart: false };
}

/** How many conversations fit a filter, counted up to `most`; without it, all. */
export function countMatching(
  app: App,
  owner: ConversationReach,
  filter: ConversationFilter,
  most?: number,
): Promise<number> {
  const { q: words } = filter;
  if (words === undefined) return countConversationsTo(app, owner, filter, most);
  return countByWords(app, { owner, filter, words }, most);
}

/** The next conversations that fit a filter. Those with words are always in the order of walkByWords. */
export function walkMatching(
  app: App,
  owner: ConversationReach,
  filter: ConversationFilter,
  page: KeyPage & { order: WalkOrder },
): Promise<Keyed<Conversation>> {
  const { q: words } = filter;
  if (words === undefined) return walkConversations(app, owner, filter, page);
  return walkByWords(app, { owner, filter, words }, page);
}

/** The filter of a list, with its days as times. Errors: those of listConversations. */
export async function readFilter(
  app: App,
  actor: Actor,
  { from, to, ...filter }: ConversationInput,
): Promise<ConversationFilter> {
  if (filter.q !== undefined) requirePermission(actor, 'conversations.read_all');
  if (filter.appId !== undefined) {
    await chooseApp(app, requirePermission(actor, 'ask'), { appId: filter.appId });
  }
  if (from === undefined && to === undefined) return filter;
  const { organizationId } = requirePermission(actor, 'ask');
  const { days } = await readSpan(app, organizationId, { from, to });
  const [first, next] = [days[0]?.first, days.at(-1)?.next];
  if (first === undefined || next === undefined) return filter;
  return { ...filter, replied: { first, next } };
}

/** A conversation. Errors: `not_found` for one that the actor may not read. */
export async function getConversation(
  app: App,
  actor: Actor,
  id: string,
  over?: Channel,
): Promise<Conversation> {
  const found = await findConversation(app, readableBy(actor, over), id);
  if (found !== undefined) return found;
  throw new AppError('not_found', `There is no conversation ${id} that you may read.`);
}

/**
 * A page of a conversation's messages, oldest first, as the actor may see them now (withholdMessages). A widget omits
 * those of other apps (reachOf). Errors: `not_found` for a conversation that the actor may not read.
 */
export async function listMessages(
  app: App,
  actor: Actor,
  input: Page & { conversationId: string },
  over?: Channel,
): Promise<Paged<ListedMessage>> {
  const { id } = await getConversation(app, actor, input.conversationId, over);
  noteReader(app, id);
  const reader = askerOf(actor, over).actor;
  const { items, total } = await listMessagesOf(app, id, reachOf(reader), input);
  return { items: await showMessages(app, reader, items), total };
}

/** Stored messages as their reader may see them now, with what is known of each. */
export async function showMessages(
  app: App,
  reader: AskingActor,
  stored: Message[],
): Promise<ListedMessage[]> {
  const isStaff = may(reader, 'conversations.read_all');
  const items = await withholdMessages(app, reader, stored);
  const questions = items.filter(({ role }) => role === 'user').map((message) => message.id);
  // Read before the replies: an answer that is no longer running then either has a reply or failed.
  const made = new Set(questions.filter((question) => isAnswering(app, question)));
  for (const question of await findClaimed(app, questions)) made.add(question);
  const replied = await findReplied(app, questions);
  const feedback = await findFeedbackOn(
    app,
    items.map((message) => message.id),
  );
  return items.map((message) => {
    const { firstWordMs, totalMs, model, ...rest } = message;
    const { id } = message;
    const open = message.role === 'user' && !replied.has(id);
    const answering = open && (made.has(id) || isAnswering(app, id));
    const interrupted = open && !answering;
    const isMeasured = isStaff && totalMs !== null;
    return {
      ...rest,
      feedback: feedback.get(id) ?? null,
      answering,
      interrupted,
      ...(isMeasured ? { made: { firstWordMs, totalMs, model } } : {}),
    };
  });
}

/** The conversations that the actor may read. */
export function readableBy(actor: Actor, over?: Channel): ConversationReach {
  const { organizationId, owner } = askerOf(actor, over);
  return may(actor, 'conversations.read_all') ? { organizationId, userId: 'anyone' } : owner;
}
