export interface RecordedChange {
  id: number;
  /** `operator`, `user:<id>`, or `retention`. */
  actor: string;
  action: string;
  subject: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  createdAt: string;
}

/** Conditions of a list; all must match. */
export interface ChangeFilter {
  actor?: string | undefined;
  /** `batch.approve`, or `batch` for all actions on batches. */
  action?: string | undefined;
  subject?: string | undefined;
}
