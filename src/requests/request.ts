export const requestStatuses = ['open', 'in_progress', 'resolved', 'dismissed'] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** The asker: a user of the organization, a host's end user, or an anonymous visitor. */
export type Requester =
  | { kind: 'user'; id: number; name: string }
  | { kind: 'end_user'; id: number; name: string | null }
  | { kind: 'visitor'; id: string; name: null };

/** A question that the knowledge did not answer, for an operator to answer. */
export interface KnowledgeRequest {
  id: number;
  organizationId: number;
  appId: number | null;
  status: RequestStatus;
  question: string;
  url: string | null;
  conversationId: string | null;
  requesterUserId: number | null;
  requesterEndUserId: number | null;
  requesterVisitorId: string | null;
  /** For askers without an account here. */
  requesterEmail: string | null;
  /** The answer; until the request is resolved, a draft. */
  response: string | null;
  /** The id of the entry with the published answer. */
  knowledgeEntryId: number | null;
  resolvedBy: string | null;
  resolvedAt: string | null;
  /** The number of resolutions. Each one is notified once. */
  resolutions: number;
  createdAt: string;
  updatedAt: string;
}
