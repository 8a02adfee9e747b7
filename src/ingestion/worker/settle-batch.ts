import { recordChangeBy } from '../../audit/record-change.js';
import { isNarrower } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inIndexingTransaction } from '../../search/index-entries.js';
import { moveInDocument } from '../../knowledge/document-entries.js';
import { raiseRevision } from '../../knowledge/page.repository.js';
import { findEntriesWhere } from '../../knowledge/entry-lists.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { removeEntries, changeEntry } from '../../knowledge/store-entries.js';
import type { BatchDiff, LeasedBatch } from '../batches/batch.js';
import { supersedeOthers } from '../batches/batches.repository.js';
import { storeGone } from '../batches/findings.repository.js';
import { endBatch, held, saveProgress } from './lease.repository.js';
import { inheritChoices } from './inherit-tier.js';
import { anchorsOf } from './make-entries.js';
import {
  compareVersions,
  stands,
  type Comparison,
  type Section,
} from '../versions/compare-versions.js';
import { presentEntry } from '../../knowledge/knowledge.schema.js';

/**
 * Completes a batch in which every section has an entry. New text waits as drafts that name the entries they replace.
 * Unchanged text keeps its entries. Earlier drafts that nobody approved or edited are deleted. Returns the sections
 * without an entry; if there are any, nothing else is changed. Throws LeaseLost.
 */
export async function settleBatch(
  app: App,
  batch: LeasedBatch,
  sections: readonly Section[],
): Promise<number[]> {
  const { id, organizationId, document } = batch;
  const find = (app: App) => findEntriesWhere(app, { organizationId, document });
  // Compare before the transaction, because it may take long, and again inside only if somebody changed something.
  const seen = await find(app);
  const comparison = await compareVersions(id, sections, seen);
  const { missing } = comparison;
  if (missing.length > 0) {
    await held(saveProgress(app, batch, { processedChunks: sections.length - missing.length }));
    return missing;
  }
  return inIndexingTransaction(app, async (app) => {
    const entries = await find(app);
    const isSame = stateOf(entries) === stateOf(seen);
    return settle(
      app,
      batch,
      sections,
      isSame ? comparison : await compareVersions(id, sections, entries),
    );
  });
}

function stateOf(entries: readonly Entry[]): string {
  return JSON.stringify(
    entries.map(({ id, version, batchId, replacesId }) => [id, version, batchId, replacesId]),
  );
}

async function settle(
  app: App,
  batch: LeasedBatch,
  sections: readonly Section[],
  comparison: Comparison,
): Promise<number[]> {
  const { missing } = comparison;
  const processedChunks = sections.length - missing.length;
  await held(saveProgress(app, batch, { processedChunks }));
  if (missing.length > 0) return missing;
  const { kept, changed, outdatedEdits } = comparison;
  const earlier = [...kept.map(({ entry }) => entry), ...outdatedEdits];
  const replaced = changed.flatMap(({ replaces }) => (replaces === null ? [] : [replaces]));
  // Without any common text, it is another document of the same name and does not decide visibility.
  const related =
    earlier.length + replaced.length > 0 ? [...earlier, ...replaced, ...comparison.gone] : [];
  const visibilityNarrowed = await narrowVisibility(app, batch, unique(related));
  const adopted = await keepUnchanged(app, batch, sections, comparison);
  for (const { draft, earlier, replaces } of comparison.changed) {
    await inheritChoices(app, batch, draft, earlier, replaces !== null);
    await moveInDocument(app, draft, { replacesId: replaces?.id ?? null });
  }
  await removeOutdated(app, batch, comparison);
  const goneIds = comparison.gone.map((entry) => entry.id);
  await storeGone(app, batch, goneIds);
  const diff: BatchDiff = {
    unchanged: comparison.kept.length - adopted,
    changed: comparison.changed.length + adopted,
    new: comparison.added.length,
    gone: goneIds.length,
  };
  await supersedeOthers(app, batch);
  const lasting = [...kept.map(({ entry }) => entry), ...replaced];
  const visibilityKept = lasting.filter((entry) =>
    isNarrower(entry.visibility, batch.visibility ?? entry.visibility),
  ).length;
  await held(endBatch(app, batch, null, { diff, visibilityNarrowed, visibilityKept }));
  return [];
}

function unique(entries: Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

/**
 * Keeps unchanged entries and updates their pages. Drafts that were never approved move to this batch. Returns the
 * number of those that still wait to replace something: they are changes of existing entries, but not of the last
 * version.
 */
async function keepUnchanged(
  app: App,
  batch: LeasedBatch,
  sections: readonly Section[],
  { kept }: Comparison,
): Promise<number> {
  const keptIds = new Set(kept.map(({ entry }) => entry.id));
  let replacing = 0;
  for (const { entry, sections: indexes } of kept) {
    const [chunkIndex = 0] = indexes;
    const section = sections[chunkIndex];
    if (section === undefined) continue;
    const { sha256: sourceSha256, title: sourceTitle } = section;
    const read = indexes.map((index) => sections[index] ?? section);
    const { sourceUrl } = batch;
    const source = {
      ...pagesOf(read),
      ...anchorsOf(section),
      sourceUrl,
      sourceSha256,
      sourceTitle,
    };
    if (stands(entry)) {
      await moveInDocument(app, entry, source);
      continue;
    }
    // The text that it should replace may be in the document again, beside it.
    const isFreed = entry.replacesId === null || keptIds.has(entry.replacesId);
    if (!isFreed) replacing++;
    const replacesId = isFreed ? null : entry.replacesId;
    await moveInDocument(app, entry, { ...source, batchId: batch.id, chunkIndex, replacesId });
  }
  if (kept.length > 0) await raiseRevision(app, batch.appId);
  return replacing;
}

/** The pages of sections, from the first to the last; null for kinds without pages. */
function pagesOf(sections: readonly Section[]): Pick<Section, 'pageFrom' | 'pageTo'> {
  const from = sections.flatMap((one) => one.pageFrom ?? []);
  const to = sections.flatMap((one) => one.pageTo ?? []);
  if (from.length === 0 || to.length === 0) return { pageFrom: null, pageTo: null };
  return { pageFrom: Math.min(...from), pageTo: Math.max(...to) };
}

async function removeOutdated(
  app: App,
  batch: LeasedBatch,
  { outdated }: Comparison,
): Promise<void> {
  if (outdated.length === 0) return;
  const ids = outdated.map((entry) => entry.id);
  await removeEntries(app, ids);
  await recordChangeBy(app, batch.createdBy, {
    organizationId: batch.organizationId,
    action: 'batch.supersede',
    subject: `batch:${batch.id}`,
    before: {
      drafts: outdated.map(({ id, title, content }) => ({ id, title, content })),
    },
  });
}

/**
 * Applies the batch's chosen visibility to entries of its document that are visible to more people, published ones
 * immediately, because the uploader expects the document to be restricted from now on. It never widens a visibility.
 * Returns the number of restricted entries. Runs inside the caller's transaction.
 */
async function narrowVisibility(
  app: App,
  batch: LeasedBatch,
  entries: readonly Entry[],
): Promise<number> {
  const { visibility, createdBy, organizationId } = batch;
  if (visibility === null) return 0;
  const open = entries.filter((entry) => isNarrower(visibility, entry.visibility));
  for (const entry of open) {
    const change = { visibility, visibilityDefaulted: false };
    const changed = await changeEntry(app, entry, change, createdBy);
    await recordChangeBy(app, createdBy, {
      organizationId,
      action: 'entry.update',
      subject: `entry:${entry.uuid}`,
      before: presentEntry(entry),
      after: presentEntry(changed),
    });
  }
  return open.length;
}
