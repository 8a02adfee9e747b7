export const requestStatuses = ['open', 'in_progress', 'resolved', 'dismissed'] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** Who asked: a user of the organization, a host's end user, or a visitor whom nobody knows. */
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
  /** For those who have no account here. */
  requesterEmail: string | null;
  /** The answer; a draft of it until the request is resolved. */
  response: string | null;
  /** The number of the entry that the answer was published as. */
  knowledgeEntryId: number | null;
  resolvedBy: string | null;
  resolvedAt: string | null;
  /** How often it was resolved: each time is notified once. */
  resolutions: number;
  createdAt: string;
  updatedAt: string;
}
