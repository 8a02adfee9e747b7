import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { pruneDocument, pruneEach } from '../ingestion/review/prune-documents.js';
import type { Brought, RunContext } from './run-context.js';
import { mostListed } from './source.js';
import { deletePage, findGone, type GonePage } from './source-pages.repository.js';

/**
 * Adds what is gone to what a run brought, and takes it back if the policy or the person who runs the source says so:
 * published entries become drafts. A policy takes nothing back when more would go than stay, since the source may only be
 * out of order.
 */
export async function removeGone(
  { app, actor, source, prune }: RunContext,
  { counts, report }: Brought,
  { stay }: { stay: number },
): Promise<Brought> {
  const gone = await findGone(app, source.id);
  const missing = gone.map((one) => ({ status: 'gone' as const, movedFrom: null, ...one }));
  const brought = {
    counts: { ...counts, gone: gone.length },
    report: { ...report, documents: [...missing, ...report.documents].slice(0, mostListed) },
  };
  if (gone.length === 0 || !(prune || source.policy === 'publish')) return brought;
  if (!prune && gone.length > stay) {
    const note = `${gone.length} documents would go and ${stay} would stay, so nothing was taken back. If they are gone on purpose, run the source with --prune.`;
    return { ...brought, report: { ...brought.report, note } };
  }
  const { pruned } = await takeBack(app, actor, source.id, gone);
  return { ...brought, counts: { ...brought.counts, removed: pruned.length } };
}

/** Prunes documents that are gone at a source. `left` are those that were read again since. */
export async function takeBack(
  app: App,
  actor: Actor,
  sourceId: number,
  gone: readonly GonePage[],
): Promise<{ pruned: GonePage[]; left: GonePage[] }> {
  const { pruned, left } = await pruneEach(gone, ({ batchId }) =>
    pruneDocument(app, actor, batchId),
  );
  for (const one of gone) if (!left.includes(one)) await deletePage(app, sourceId, one.address);
  return { pruned, left };
}
