import { changeEach, type ChangedEach } from '../../knowledge/change-entries.js';
import { findOutlines } from '../../knowledge/entry-lists.repository.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import {
  findReplaced,
  findReplacement,
  type DoneReplacement,
} from '../batches/reshaped.repository.js';
import { getBareBatch } from './review-batch.js';
import { undoReshaping } from './undo-reshaping.js';

/** The most replacements of a batch that are offered to be undone. */
const mostListed = 5;

export interface UndoableReplacement extends DoneReplacement {
  /** How many drafts it changed that nobody has changed or decided since. */
  drafts: number;
}

/** The replacements in the drafts of a batch that can still be undone, the newest first. Errors: `not_found`. */
export async function listReplacements(
  app: App,
  actor: Actor,
  batchId: string,
): Promise<UndoableReplacement[]> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  await getBareBatch(app, actor, batchId);
  const replaced = await findReplaced(app, batchId);
  if (replaced.length === 0) return [];
  const outlines = await findOutlines(app, { organizationId, batchId });
  const drafts = outlines.filter(({ status }) => status === 'draft');
  const versions = new Map(drafts.map(({ id, version }) => [id, version]));
  const counts = new Map<string, { row: number; drafts: number }>();
  for (const { id, entryId, version, replacementId } of replaced) {
    if (versions.get(entryId) !== version) continue;
    const { drafts } = counts.get(replacementId) ?? { drafts: 0 };
    counts.set(replacementId, { row: id, drafts: drafts + 1 });
  }
  const found: UndoableReplacement[] = [];
  for (const { row, drafts } of [...counts.values()].slice(0, mostListed)) {
    const replacement = await findReplacement(app, batchId, row);
    if (replacement !== undefined) found.push({ ...replacement, drafts });
  }
  return found;
}

/** Gives the drafts of a replacement their texts of before, as undoReshaping does. Errors: `not_found` for the batch. */
export async function undoReplacement(
  app: App,
  actor: Actor,
  { batchId, id }: { batchId: string; id: string },
): Promise<ChangedEach> {
  await getBareBatch(app, actor, batchId);
  const replaced = await findReplaced(app, batchId);
  const drafts = replaced
    .filter(({ replacementId }) => replacementId === id)
    .map(({ entryId, version }) => ({ name: String(entryId), version }));
  return changeEach(app, actor, drafts, async ({ name }, ifMatch) => {
    const [draft] = await undoReshaping(app, actor, { name, batchId, ifMatch });
    return draft;
  });
}
