import { findUser } from '../accounts/users/accounts.repository.js';
import { askerOf, type Asker } from '../conversations/store/asker.js';
import { describeEndUser } from '../federation/describe-end-user.js';
import { findEntriesById } from '../knowledge/entries.repository.js';
import type { Entry } from '../knowledge/entry.js';
import { may, requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { chooseApp } from '../tenancy/choose-app.js';
import type { Channel } from '../usage/payer.js';
import type { KnowledgeRequest, Requester } from './request.js';
import {
  findRequest,
  listRequestsOf,
  type RequestFilter,
  type RequestReader,
} from './requests.repository.js';

/** A request with the names of what it refers to, as its reader may see it. */
export interface ShownRequest extends KnowledgeRequest {
  requester: Requester | null;
  /** The uuid of the entry with the published answer. */
  entryUuid: string | null;
}

/**
 * A page of the requests that the actor may read (its own or, for staff, the organization's), newest first. For end
 * users and visitors, `over` must be the widget.
 */
export async function listRequests(
  app: App,
  actor: Actor,
  filter: RequestFilter,
  over?: Channel,
): Promise<Paged<ShownRequest>> {
  const reader = readerOf(askerOf(actor, over));
  if (filter.appId !== undefined) {
    await chooseApp(app, requirePermission(actor, 'ask'), { appId: filter.appId });
  }
  const { items, total } = await listRequestsOf(app, reader.reach, filter);
  return { items: await Promise.all(items.map((one) => shown(app, reader, one))), total };
}

/**
 * One request. Errors: `not_found` for a missing one, and equally one that the actor may not read. For end users and
 * visitors, `over` must be the widget.
 */
export async function getRequest(
  app: App,
  actor: Actor,
  id: number,
  over?: Channel,
): Promise<ShownRequest> {
  const reader = readerOf(askerOf(actor, over));
  const found = await findRequest(app, reader.reach, id);
  if (found === undefined) throw new AppError('not_found', `There is no request ${id}.`);
  return shown(app, reader, found);
}

interface Reader {
  reach: RequestReader;
  isStaff: boolean;
  /** True when the reader may know that an entry exists; its id alone would reveal it. */
  sees(entry: Entry): boolean;
}

function readerOf({ actor, organizationId, owner }: Asker): Reader {
  if (may(actor, 'requests.resolve')) {
    return { reach: { organizationId, userId: 'anyone' }, isStaff: true, sees: () => true };
  }
  return { reach: owner, isStaff: false, sees: isSeenByUsers };
}

/** True when users with the role `user` may read an entry. */
export function isSeenByUsers(entry: Entry): boolean {
  return entry.status === 'published' && entry.visibility !== 'internal';
}

async function shown(app: App, reader: Reader, request: KnowledgeRequest): Promise<ShownRequest> {
  const entryId = request.knowledgeEntryId;
  const [entry] = entryId === null ? [] : await findEntriesById(app, [entryId]);
  // The staff's text so far is not an answer yet.
  const isDraft = !reader.isStaff && request.status !== 'resolved';
  return {
    ...request,
    response: isDraft ? null : request.response,
    requesterEmail: reader.isStaff ? request.requesterEmail : null,
    requester: await requesterOf(app, request),
    entryUuid: entry !== undefined && reader.sees(entry) ? entry.uuid : null,
  };
}

async function requesterOf(app: App, request: KnowledgeRequest): Promise<Requester | null> {
  const { requesterUserId, requesterEndUserId, requesterVisitorId } = request;
  if (requesterUserId !== null) {
    const user = await findUser(app, requesterUserId);
    return user === undefined ? null : { kind: 'user', id: user.id, name: user.displayName };
  }
  if (requesterEndUserId !== null) {
    const endUser = await describeEndUser(app, request.organizationId, requesterEndUserId);
    return { kind: 'end_user', id: requesterEndUserId, name: endUser?.displayName ?? null };
  }
  if (requesterVisitorId !== null) return { kind: 'visitor', id: requesterVisitorId, name: null };
  return null;
}
