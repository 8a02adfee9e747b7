import { getDocument, type WeighedDocument } from '../ingestion/review/list-documents.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError, codeOf } from '../platform/errors.js';
import { getBareSource, isRunning } from './read-sources.js';
import { takeBack } from './remove-gone.js';
import { findGone, type GonePage } from './source-pages.repository.js';

/** A document that is gone at its source, with what taking it back would do to its entries. */
export type WeighedGone = GonePage & Pick<WeighedDocument, 'published' | 'drafts'>;

/** The number of documents that are gone at a source and were not taken back. Errors: `not_found`. */
export async function countGone(app: App, actor: Actor, id: number): Promise<number> {
  await getBareSource(app, actor, id);
  return (await findGone(app, id)).length;
}

/** The first of the documents that are gone at a source, by address, and the number of all. Errors: `not_found`. */
export async function listGone(
  app: App,
  actor: Actor,
  id: number,
  limit: number,
): Promise<{ items: WeighedGone[]; total: number }> {
  await getBareSource(app, actor, id);
  const gone = await findGone(app, id);
  const items: WeighedGone[] = [];
  for (const one of gone.slice(0, limit)) {
    const { published, drafts } = await getDocument(app, actor, one.batchId).catch(nothingLeft);
    items.push({ ...one, published, drafts });
  }
  return { items, total: gone.length };
}

/** Somebody has deleted the document meanwhile. */
function nothingLeft(error: unknown) {
  if (codeOf(error) !== 'not_found') throw error;
  return { published: 0, drafts: 0 };
}

/**
 * Takes back the named documents that are gone at a source, as a run with --prune does: published entries become drafts,
 * and other drafts are deleted. Names of others have no effect. Returns how many stay because they were read again since.
 * Errors: `not_found`; `conflict` while the source is read.
 */
export async function takeBackGone(
  app: App,
  actor: Actor,
  id: number,
  batchIds: readonly string[],
): Promise<number> {
  const member = requirePermission(actor, 'knowledge.write');
  const source = await getBareSource(app, member, id);
  if (isRunning(app, source)) {
    const sentence = `${source.name} is being read just now. Nothing was taken back. Try again when its run has ended.`;
    throw new AppError('conflict', sentence, { reason: { is: 'source_is_read' } });
  }
  const gone = await findGone(app, id);
  const wanted = gone.filter(({ batchId }) => batchIds.includes(batchId));
  return (await takeBack(app, member, id, wanted)).left.length;
}
