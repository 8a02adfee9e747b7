import { whereOwn } from '../federation/one-person.repository.js';
import type { Person } from '../platform/actor.js';
import type { Store, WithDb } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/record.js';
import { countOf, type Page, type Paged } from '../platform/db/select-page.js';
import { requests, type KnowledgeRequest, type RequestStatus } from './request.js';

/** Whose requests are read: one person's, or an organization's. */
export type RequestReader =
  | ({ organizationId: number } & Person)
  | { organizationId: number; userId: 'anyone' };

export interface RequestFilter extends Page {
  status?: RequestStatus | undefined;
  /** Any of these. */
  statuses?: RequestStatus[] | undefined;
  oldestFirst?: boolean | undefined;
  appId?: number | undefined;
  conversationId?: string | undefined;
  /** A part of the question. */
  q?: string | undefined;
}

export type FiledRequest = Pick<
  KnowledgeRequest,
  | 'organizationId'
  | 'appId'
  | 'question'
  | 'url'
  | 'conversationId'
  | 'requesterUserId'
  | 'requesterEndUserId'
  | 'requesterVisitorId'
  | 'requesterEmail'
>;

const requesterColumns = {
  user: 'requester_user_id',
  endUser: 'requester_end_user_id',
  visitor: 'requester_visitor_id',
  app: 'app_id',
  time: 'knowledge_requests.created_at',
};

export async function insertRequest(app: Store, fields: FiledRequest): Promise<number> {
  const now = timestamp(app.clock);
  const request = { ...fields, status: 'open', createdAt: now, updatedAt: now } as const;
  return insertRow(app.db.write, 'knowledge_requests', requests.columns(request));
}

/** A waiting request with the same question, of the same person, page and conversation. */
export async function findWaiting(
  app: Store,
  fields: FiledRequest,
): Promise<Pick<KnowledgeRequest, 'id' | 'requesterEmail'> | undefined> {
  const same = requests.columns({ ...fields, requesterEmail: undefined });
  const query = app.db.read('knowledge_requests').where(same);
  return requests.first(query.whereIn('status', ['open', 'in_progress']));
}

/** Passes the requests of a visitor's conversation to an end user. */
export async function giveRequestsOf(
  app: Store,
  conversationId: string,
  visitorIds: string[],
  endUserId: number,
): Promise<void> {
  await app.db
    .write('knowledge_requests')
    .where({ conversation_id: conversationId })
    .whereIn('requester_visitor_id', visitorIds)
    .update({ requester_visitor_id: null, requester_end_user_id: endUserId });
}

export async function findRequest(
  app: Store,
  reader: RequestReader,
  id: number,
): Promise<KnowledgeRequest | undefined> {
  return requests.first(readable(app, reader).where({ id }));
}

/** A page of requests, newest first unless the filter says otherwise. */
export async function listRequestsOf(
  app: Store,
  reader: RequestReader,
  filter: RequestFilter,
): Promise<Paged<KnowledgeRequest>> {
  const query = readable(app, reader);
  if (filter.status !== undefined) query.where({ status: filter.status });
  if (filter.statuses !== undefined) query.whereIn('status', filter.statuses);
  if (filter.appId !== undefined) query.where({ app_id: filter.appId });
  if (filter.conversationId !== undefined) query.where({ conversation_id: filter.conversationId });
  if (filter.q !== undefined) {
    const pattern = filter.q.replaceAll(/[\\%_]/g, '\\$&');
    query.whereRaw(`lower(question) like lower(?) escape '\\'`, [`%${pattern}%`]);
  }
  const order = filter.oldestFirst === true ? ('asc' as const) : ('desc' as const);
  return requests.page(query, [{ column: 'id', order }], filter);
}

/** A query of the ids of the conversations of an organization that were handed over to its staff. */
export function handedConversations(app: WithDb, organizationId: number) {
  return app.db
    .read('knowledge_requests')
    .where({ organization_id: organizationId })
    .whereNotNull('conversation_id')
    .select('conversation_id');
}

/** How long the resolved requests of these conversations waited for their answer, in milliseconds. */
export async function waitsOf(
  app: WithDb,
  conversationIds: readonly string[],
): Promise<{ conversationId: string; waitMs: number }[]> {
  const rows = await app.db
    .read<{ conversation_id: string; created_at: string; resolved_at: string }>(
      'knowledge_requests',
    )
    .where(app.db.dialect.isAmong(app.db.read, 'conversation_id', conversationIds))
    .whereNotNull('resolved_at')
    .select('conversation_id', 'created_at', 'resolved_at');
  return rows.map((row) => ({
    conversationId: row.conversation_id,
    waitMs: Date.parse(row.resolved_at) - Date.parse(row.created_at),
  }));
}

/** The requests of the whole installation that still need an answer. */
export async function countOpenRequests(app: WithDb): Promise<number> {
  return countOf(app.db.read('knowledge_requests').whereIn('status', ['open', 'in_progress']));
}

export type RequestChange = Partial<
  Pick<
    KnowledgeRequest,
    | 'status'
    | 'response'
    | 'knowledgeEntryId'
    | 'resolvedBy'
    | 'resolvedAt'
    | 'resolutions'
    | 'requesterEmail'
  >
>;

export async function changeRequest(app: Store, id: number, change: RequestChange): Promise<void> {
  await app.db
    .write('knowledge_requests')
    .where({ id })
    .update(requests.changes({ ...change, updatedAt: timestamp(app.clock) }));
}

function readable(app: Store, reader: RequestReader) {
  const query = app.db.read('knowledge_requests');
  if (reader.userId === 'anyone') return query.where({ organization_id: reader.organizationId });
  return whereOwn(app, query, reader, requesterColumns, 'not of staff');
}
