import { whereOwn } from '../federation/one-person.repository.js';
import type { Person } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/insert-row.js';
import { selectPage, type Page, type Paged } from '../platform/db/select-page.js';
import type { KnowledgeRequest, RequestStatus } from './request.js';

interface RequestRow {
  id: number;
  organization_id: number;
  app_id: number | null;
  status: RequestStatus;
  question: string;
  url: string | null;
  conversation_id: string | null;
  requester_user_id: number | null;
  requester_end_user_id: number | null;
  requester_visitor_id: string | null;
  requester_email: string | null;
  response: string | null;
  knowledge_entry_id: number | null;
  resolved_by: string | null;
  resolved_at: string | null;
  resolutions: number;
  created_at: string;
  updated_at: string;
}

/** Whose requests are read: one person's, or an organization's. */
export type RequestReader =
  ({ organizationId: number } & Person) | { organizationId: number; userId: 'anyone' };

export interface RequestFilter extends Page {
  status?: RequestStatus | undefined;
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

type Store = Pick<App, 'db' | 'clock'>;

const requesterColumns = {
  user: 'requester_user_id',
  endUser: 'requester_end_user_id',
  visitor: 'requester_visitor_id',
  app: 'app_id',
  time: 'knowledge_requests.created_at',
};

export async function insertRequest(app: Store, fields: FiledRequest): Promise<number> {
  const now = timestamp(app.clock);
  return insertRow(app.db.write, 'knowledge_requests', {
    organization_id: fields.organizationId,
    app_id: fields.appId,
    status: 'open',
    question: fields.question,
    url: fields.url,
    conversation_id: fields.conversationId,
    requester_user_id: fields.requesterUserId,
    requester_end_user_id: fields.requesterEndUserId,
    requester_visitor_id: fields.requesterVisitorId,
    requester_email: fields.requesterEmail,
    created_at: now,
    updated_at: now,
  });
}

/** A waiting request with the same question, of the same person, page and conversation. */
export async function findWaiting(
  app: Store,
  fields: FiledRequest,
): Promise<Pick<KnowledgeRequest, 'id' | 'requesterEmail'> | undefined> {
  const row = await app.db
    .read<RequestRow>('knowledge_requests')
    .where({
      organization_id: fields.organizationId,
      app_id: fields.appId,
      question: fields.question,
      url: fields.url,
      conversation_id: fields.conversationId,
      requester_user_id: fields.requesterUserId,
      requester_end_user_id: fields.requesterEndUserId,
      requester_visitor_id: fields.requesterVisitorId,
    })
    .whereIn('status', ['open', 'in_progress'])
    .first('id', 'requester_email');
  return row === undefined ? undefined : { id: row.id, requesterEmail: row.requester_email };
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
  const row = (await readable(app, reader).where({ id }).first()) as RequestRow | undefined;
  return row === undefined ? undefined : toRequest(row);
}

/** A page of requests, newest first. */
export async function listRequestsOf(
  app: Store,
  reader: RequestReader,
  filter: RequestFilter,
): Promise<Paged<KnowledgeRequest>> {
  const query = readable(app, reader);
  if (filter.status !== undefined) query.where({ status: filter.status });
  if (filter.appId !== undefined) query.where({ app_id: filter.appId });
  if (filter.conversationId !== undefined) query.where({ conversation_id: filter.conversationId });
  if (filter.q !== undefined) {
    const pattern = filter.q.replaceAll(/[\\%_]/g, '\\$&');
    query.whereRaw(`lower(question) like lower(?) escape '\\'`, [`%${pattern}%`]);
  }
  const order = [{ column: 'id', order: 'desc' as const }];
  return selectPage<RequestRow, KnowledgeRequest>(query, order, filter, toRequest);
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
  const columns = {
    status: change.status,
    response: change.response,
    knowledge_entry_id: change.knowledgeEntryId,
    resolved_by: change.resolvedBy,
    resolved_at: change.resolvedAt,
    resolutions: change.resolutions,
    requester_email: change.requesterEmail,
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  await app.db
    .write('knowledge_requests')
    .where({ id })
    .update({ ...Object.fromEntries(given), updated_at: timestamp(app.clock) });
}

function readable(app: Store, reader: RequestReader) {
  const query = app.db.read('knowledge_requests');
  if (reader.userId === 'anyone') return query.where({ organization_id: reader.organizationId });
  return whereOwn(app, query, reader, requesterColumns, 'not of staff');
}

function toRequest(row: RequestRow): KnowledgeRequest {
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    status: row.status,
    question: row.question,
    url: row.url,
    conversationId: row.conversation_id,
    requesterUserId: row.requester_user_id,
    requesterEndUserId: row.requester_end_user_id,
    requesterVisitorId: row.requester_visitor_id,
    requesterEmail: row.requester_email,
    response: row.response,
    knowledgeEntryId: row.knowledge_entry_id,
    resolvedBy: row.resolved_by,
    resolvedAt: row.resolved_at,
    resolutions: row.resolutions,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
