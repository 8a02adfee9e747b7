import { may, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { chooseApp } from '../tenancy/choose-app.js';
import type { Channel } from '../usage/payer.js';
import { askerOf, reachOf } from './store/asker.js';
import type { Conversation, ListedMessage } from './store/conversation.js';
import {
  findConversation,
  listConversationsOf,
  type ConversationFilter,
  type ConversationReach,
} from './store/conversations.repository.js';
import { findFeedbackOn } from './store/feedback.repository.js';
import { findReplied, listMessagesOf } from './store/messages.repository.js';
import { isAnswering, noteReader } from './answering/running-answers.js';
import { findClaimed } from './store/running-answers.repository.js';
import { withholdMessages } from './store/withhold-messages.js';

/**
 * A page of the conversations that the actor may read: its own or, for staff, the organization's; no filter widens
 * that. Refuses with `not_found` an app of another organization. End users and visitors have conversations only in the
 * widget: for them `over` must be `widget`, in every function here.
 */
export async function listConversations(
  app: App,
  actor: Actor,
  input: Page & ConversationFilter,
  over?: Channel,
): Promise<Paged<Conversation>> {
  const reach = readableBy(actor, over);
  if (input.appId !== undefined) {
    await chooseApp(app, requirePermission(actor, 'ask'), { appId: input.appId });
  }
  return listConversationsOf(app, reach, input, input);
}

/** A conversation. Refuses with `not_found` one that the actor may not read. */
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
 * those of other apps (reachOf). Refuses with `not_found` a conversation that the actor may not read.
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
  const isStaff = may(actor, 'conversations.read_all');
  const { items: stored, total } = await listMessagesOf(app, id, reachOf(reader), input);
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
  return {
    items: items.map((message) => {
      const { firstWordMs, totalMs, model, ...rest } = message;
      const { id } = message;
      const open = message.role === 'user' && !replied.has(id);
      const answering = open && (made.has(id) || isAnswering(app, id));
      const interrupted = open && !answering;
      const isMeasured = isStaff && totalMs !== null;
      return {
        ...{ ...rest, feedback: feedback.get(id) ?? null, answering, interrupted },
        ...(isMeasured ? { made: { firstWordMs, totalMs, model } } : {}),
      };
    }),
    total,
  };
}

/** The conversations that the actor may read. */
export function readableBy(actor: Actor, over?: Channel): ConversationReach {
  const { organizationId, owner } = askerOf(actor, over);
  return may(actor, 'conversations.read_all') ? { organizationId, userId: 'anyone' } : owner;
}
