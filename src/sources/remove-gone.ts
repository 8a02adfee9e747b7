import { codeOf } from '../platform/errors.js';
import { pruneDocument } from '../ingestion/review/prune-documents.js';
import type { Brought, RunContext } from './run-context.js';
import { mostListed } from './source.js';

/** A document whose page or file is gone. */
interface Gone {
  /** The address, or the name of the file. */
  name: string;
  batchId: string;
}

/**
 * Adds what is gone to what a run brought, and takes it back if the policy or the person who runs the source says so:
 * published entries become drafts. A policy takes nothing back when more would go than stay, since the source may only be
 * out of order.
 */
export async function removeGone(
  { app, actor, source, prune }: RunContext,
  { counts, report }: Brought,
  gone: readonly Gone[],
  { stay, onRemoved }: { stay: number; onRemoved?: (one: Gone) => Promise<void> },
): Promise<Brought> {
  const missing = gone.map(({ name, batchId }) => {
    return { status: 'gone' as const, address: name, movedFrom: null, batchId };
  });
  const brought = {
    counts: { ...counts, gone: gone.length },
    report: { ...report, documents: [...report.documents, ...missing].slice(0, mostListed) },
  };
  if (gone.length === 0 || !(prune || source.policy === 'publish')) return brought;
  if (!prune && gone.length > stay) {
    const note = `${gone.length} documents would go and ${stay} would stay, so nothing was taken back. If they are gone on purpose, run the source with --prune.`;
    return { ...brought, report: { ...brought.report, note } };
  }
  let removed = 0;
  for (const one of gone) {
    try {
      await pruneDocument(app, actor, one.batchId);
      removed++;
    } catch (error) {
      // Read again since: it is not gone.
      if (codeOf(error) === 'conflict') continue;
      if (codeOf(error) !== 'not_found') throw error;
    }
    await onRemoved?.(one);
  }
  return { ...brought, counts: { ...brought.counts, removed } };
}
