import type { OutlinedDraft } from '../../ingestion/review/read-review.js';

/** Those that nobody has decided about. */
export function openDrafts(drafts: readonly OutlinedDraft[]): OutlinedDraft[] {
  return drafts.filter(({ state }) => state === 'draft');
}

/** The next open draft after one: in the order of the document, then those that were skipped before it. */
export function nextOpen(
  drafts: readonly OutlinedDraft[],
  after: number,
): OutlinedDraft | undefined {
  const at = drafts.findIndex(({ id }) => id === after);
  const others = [...drafts.slice(at + 1), ...drafts.slice(0, Math.max(at, 0))];
  return openDrafts(others)[0];
}

/** The open drafts from one on, without those that somebody took back: they are decided one by one. */
export function restFrom(drafts: readonly OutlinedDraft[], from: number): OutlinedDraft[] {
  const at = drafts.findIndex(({ id }) => id === from);
  return openDrafts(drafts.slice(Math.max(at, 0))).filter(({ takenBack }) => !takenBack);
}
