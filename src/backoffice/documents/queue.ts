import type { OutlinedDraft } from '../../ingestion/review/read-review.js';
import { AppError } from '../../platform/errors.js';

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

/** Errors: `conflict` when the number of drafts is not the one the person was told. */
export function requireCount(now: number, told: number): void {
  if (now === told) return;
  const sentence = `Nothing was accepted: there are ${now} drafts now, not ${told}.`;
  throw new AppError('conflict', sentence, { reason: { is: 'other_drafts', now, told } });
}
