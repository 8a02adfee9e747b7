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
  /** The page that the question is about. */
  url?: string | undefined;
  appId?: number | undefined;
  conversationId?: string | undefined;
  /** Where to write to once it is resolved, for those who have no account here. Only staff are shown it. */
  email?: string | undefined;
}

/** A request as its asker may see it. A `duplicate` answers the one that was filed before and still waits. */
export interface FiledByAsker extends ShownRequest {
  duplicate: boolean;
}

/**
 * Files a question for the organization's staff; the same one of the same person, conversation and page only once while
 * it waits for its answer: a second click, or a client that lost the answer to its first, finds the first. Personal
 * data is masked before it is stored, as in conversations; not the address to write to. End users and visitors file for
 * their app, and `over` must be the widget.
 * Refuses with `not_found` a conversation that is not the actor's own and an app of another organization, with
 * `invalid_request` an empty question and an address that is none.
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
    // It may have been deleted, or have become an end user's, since it was looked at.
    if (conversation && !(await findConversation(app, owner, conversation.id))) throw notTheirs();
    const { id, duplicate } = await fileOnce(app, fields);
    // Read in here: afterwards it may be an end user's, with its conversation.
    return { ...(await getRequest(app, actor, id, over)), duplicate };
  });
}

/** Inside a transaction. */
async function fileOnce(
  app: App,
  fields: FiledRequest,
): Promise<{ id: number; duplicate: boolean }> {
  const waiting = await findWaiting(app, fields);
  if (waiting === undefined) return { id: await insertRequest(app, fields), duplicate: false };
  const { requesterEmail } = fields;
  // A person who asks again with an address wants to be written to there.
  if (requesterEmail !== null && requesterEmail !== waiting.requesterEmail) {
    await changeRequest(app, waiting.id, { requesterEmail });
  }
  return { id: waiting.id, duplicate: true };
}

/** The app that is named, else the one behind the page, where that is the organization's own. */
async function appOf(
  app: App,
  actor: AskingActor,
  input: RequestInput,
): Promise<number | undefined> {
  // The address is looked at in any case: it must be one.
  const site = input.url === undefined ? undefined : (await findSite(app, input.url)).app;
  if (actor.kind === 'end_user' || actor.kind === 'visitor') return actor.appId;
  if (input.appId !== undefined)
    return (await chooseApp(app, actor, { appId: input.appId })).app.id;
  return site?.organizationId === actor.organizationId ? site.id : undefined;
}
