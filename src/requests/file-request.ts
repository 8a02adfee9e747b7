import { askerOf, type AskingActor } from '../conversations/store/asker.js';
import { findConversation } from '../conversations/store/conversations.repository.js';
import { addressToStore, maskIfWanted } from '../conversations/store/mask-if-wanted.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError, refusedField } from '../platform/errors.js';
import { chooseApp } from '../tenancy/choose-app.js';
import { findSite } from '../tenancy/find-site.js';
import type { Channel } from '../usage/payer.js';
import { getRequest, type ShownRequest } from './read-requests.js';
import {
  changeRequest,
  findWaiting,
  insertRequest,
  type FiledRequest,
} from './requests.repository.js';

export interface RequestInput {
  question: string;
  url?: string | undefined;
  appId?: number | undefined;
  conversationId?: string | undefined;
  /** The address for the answer, for people without an account here. Only staff see it. */
  email?: string | undefined;
}

/** A request as its asker may see it. `duplicate`: it is an earlier request that is still waiting. */
export interface FiledByAsker extends ShownRequest {
  duplicate: boolean;
}

/**
 * Files a question for the organization's staff. A waiting request of the same person, conversation and page with the
 * same question is not filed again, so that a second click or a retry finds the first one. Personal data is masked
 * before storing, except the reply address. End users and visitors file for their app, and `over` must be the widget.
 * Errors: `not_found` for a conversation of others or an app of another organization; `invalid_request` for an empty
 * question or an invalid address.
 */
export async function fileRequest(
  app: App,
  actor: Actor,
  input: RequestInput,
  over?: Channel,
): Promise<FiledByAsker> {
  const asker = askerOf(actor, over);
  const { organizationId, owner } = asker;
  const question = maskIfWanted(app, input.question).trim();
  if (question === '') throw refusedField('question', 'must not be empty');
  const { conversationId } = input;
  const notTheirs = () =>
    new AppError('not_found', `There is no conversation ${conversationId} of yours.`);
  const conversation =
    conversationId === undefined ? undefined : await findConversation(app, owner, conversationId);
  if (conversationId !== undefined && conversation === undefined) throw notTheirs();
  const appId = (await appOf(app, asker.actor, input)) ?? conversation?.appId ?? null;
  const fields: FiledRequest = {
    organizationId,
    appId,
    question,
    url: input.url === undefined ? null : addressToStore(app, input.url),
    conversationId: conversation?.id ?? null,
    requesterUserId: owner.userId,
    requesterEndUserId: owner.endUserId,
    requesterVisitorId: owner.visitorId,
    requesterEmail: input.email ?? null,
  };
  return inTransaction(app, async (app) => {
    // The conversation may have been deleted, or passed to an end user, since the check.
    if (conversation && !(await findConversation(app, owner, conversation.id))) throw notTheirs();
    const { id, duplicate } = await fileOnce(app, fields);
    // Read inside the transaction: later it may belong to an end user, with its conversation.
    return { ...(await getRequest(app, actor, id, over)), duplicate };
  });
}

/** Call it inside a transaction. */
async function fileOnce(
  app: App,
  fields: FiledRequest,
): Promise<{ id: number; duplicate: boolean }> {
  const waiting = await findWaiting(app, fields);
  if (waiting === undefined) return { id: await insertRequest(app, fields), duplicate: false };
  const { requesterEmail } = fields;
  // A person who asks again with an address wants the answer there.
  if (requesterEmail !== null && requesterEmail !== waiting.requesterEmail) {
    await changeRequest(app, waiting.id, { requesterEmail });
  }
  return { id: waiting.id, duplicate: true };
}

/** The named app, else the app of the page if it belongs to the organization. */
async function appOf(
  app: App,
  actor: AskingActor,
  input: RequestInput,
): Promise<number | undefined> {
  // The address is always parsed, because it must be valid.
  const site = input.url === undefined ? undefined : (await findSite(app, input.url)).app;
  if (actor.kind === 'end_user' || actor.kind === 'visitor') return actor.appId;
  if (input.appId !== undefined)
    return (await chooseApp(app, actor, { appId: input.appId })).app.id;
  return site?.organizationId === actor.organizationId ? site.id : undefined;
}
