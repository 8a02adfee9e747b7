import { json, plain, record, type RecordOf } from '../platform/db/record.js';

type Fields = Record<string, unknown>;

export const changes = record({
  id: plain<number>(),
  /** `operator`, `user:<id>`, or `retention`. */
  actor: plain<string>(),
  action: plain<string>(),
  subject: plain<string>(),
  before: json<Fields | null>(),
  after: json<Fields | null>(),
  createdAt: plain<string>(),
});
export type RecordedChange = RecordOf<typeof changes>;

/** Conditions of a list; all must match. */
export interface ChangeFilter {
  actor?: string | undefined;
  /** `batch.approve`, or `batch` for all actions on batches. */
  action?: string | undefined;
  subject?: string | undefined;
}
