/** A change on record. */
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

/** What to look for: all that is given must fit. */
export interface ChangeFilter {
  actor?: string | undefined;
  /** `batch.approve`, or `batch` for all that happened to batches. */
  action?: string | undefined;
  subject?: string | undefined;
}
