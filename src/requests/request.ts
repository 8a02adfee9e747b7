import { plain, record, type RecordOf } from '../platform/db/record.js';

export const requestStatuses = ['open', 'in_progress', 'resolved', 'dismissed'] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** The asker: a user of the organization, a host's end user, or an anonymous visitor. */
export type Requester =
  | { kind: 'user'; id: number; name: string }
  | { kind: 'end_user'; id: number; name: string | null }
  | { kind: 'visitor'; id: string; name: null };

export const requests = record({
  id: plain<number>(),
  organizationId: plain<number>(),
  appId: plain<number | null>(),
  status: plain<RequestStatus>(),
  question: plain<string>(),
  url: plain<string | null>(),
  conversationId: plain<string | null>(),
  requesterUserId: plain<number | null>(),
  requesterEndUserId: plain<number | null>(),
  requesterVisitorId: plain<string | null>(),
  /** For askers without an account here. */
  requesterEmail: plain<string | null>(),
  /** The answer; until the request is resolved, a draft. */
  response: plain<string | null>(),
  /** The id of the entry with the published answer. */
  knowledgeEntryId: plain<number | null>(),
  resolvedBy: plain<string | null>(),
  resolvedAt: plain<string | null>(),
  /** The number of resolutions. Each one is notified once. */
  resolutions: plain<number>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

/** A question that the knowledge did not answer, for an operator to answer. */
export type KnowledgeRequest = RecordOf<typeof requests>;
