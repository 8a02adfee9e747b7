import { addEntries } from '../../src/knowledge/store-entries.js';
import type { Entry, NewEntry } from '../../src/knowledge/entry.js';
import { splitDraft } from '../../src/ingestion/review/split-draft.js';
import { visibilities } from '../../src/platform/actor.js';
import { inTransaction } from '../../src/platform/db/in-transaction.js';
import type { WorldBuilder } from './world-builder.js';
import type { People } from './world-people.js';

/** Adds entries of every tier, status and scope, with versions, views, and batches in every state. */
export async function addKnowledge(builder: WorldBuilder, people: People): Promise<void> {
  const { organizationId, appId } = builder;
  const view = await builder.add('views', {
    ...{ organization_id: organizationId, app_id: appId },
    ...{ path: '/view', title: builder.canary() },
  });
  const free = await builder.add('views', {
    ...{ organization_id: organizationId, app_id: appId },
    ...{ path: '/invoices/:id', title: builder.canary() },
  });
  builder.remember('view', view, free);
  const places: Partial<NewEntry>[] = [
    {},
    { urlPattern: '/invoices/:id' },
    { urlPattern: '/docs/*', domain: null },
    { viewId: view },
    { domain: null },
    { appId: builder.secondAppId, domain: builder.secondHost },
    { domain: `deep.wild.${builder.name}.example` },
  ];
  for (const visibility of visibilities) {
    for (const place of places) await addEntry(builder, { visibility, ...place });
    await addEntry(builder, { visibility, status: 'draft' });
    // No app has this domain, so the entry is not visible.
    await addEntry(builder, { visibility, appId: null, domain: `late.${builder.name}.example` });
  }
  await addVersions(builder, people);
  await addBatches(builder);
}

async function addEntry(builder: WorldBuilder, fields: Partial<NewEntry>): Promise<Entry> {
  const [entry] = await inTransaction(builder.app, (app) =>
    addEntries(app, [
      {
        organizationId: builder.organizationId,
        appId: builder.appId,
        viewId: null,
        domain: builder.host,
        urlPattern: null,
        title: `Oiling the pump ${builder.canary()}`,
        content: `The pump is oiled every month with ${builder.canary()}.`,
        language: 'en',
        status: 'published',
        visibility: 'public',
        visibilityDefaulted: false,
        batchId: null,
        chunkIndex: null,
        pageFrom: null,
        pageTo: null,
        changedBy: 'operator',
        ...fields,
      },
    ]),
  );
  if (entry === undefined) throw new Error('no entry was stored');
  builder.remember('entry', entry.uuid, entry.id);
  builder.remember('entryNumber', entry.id);
  return entry;
}

/** Adds a public entry that was internal before. Only staff may see its history. */
async function addVersions(builder: WorldBuilder, people: People): Promise<void> {
  const entry = await addEntry(builder, {});
  await builder.app.db.write('knowledge_entries').where({ id: entry.id }).update({ version: 3 });
  for (const version of [1, 2]) {
    const fields = { ...entry, version, visibility: 'internal', content: builder.canary() };
    await builder.addNamed('knowledge_entry_versions', {
      ...{ entry_id: entry.id, version, fields: JSON.stringify(fields) },
      ...{ changed_by: `user:${people.admin.id}`, changed_at: builder.now() },
    });
  }
}

async function addBatches(builder: WorldBuilder): Promise<void> {
  for (const status of ['completed', 'failed', 'processing']) {
    const id = builder.uuid();
    const failed = status === 'failed';
    await builder.addNamed('ingestion_batches', {
      ...{ id, organization_id: builder.organizationId, app_id: builder.appId },
      ...{ file_name: `${builder.canary()}.pdf`, file_sha256: builder.hash(id), file_size: 9 },
      ...{ status, created_by: 'operator' },
      ...(failed ? { error_code: 'damaged', error_message: builder.canary(), attempts: 3 } : {}),
      ...{ created_at: builder.now(), updated_at: builder.now() },
    });
    await builder.addNamed('ingestion_uploads', {
      ...{ batch_id: id, piece: 0, bytes: Buffer.from('%PDF-1.4\n') },
    });
    builder.remember('batch', id);
    if (failed) builder.remember('failedBatch', id);
    if (status !== 'completed') continue;
    for (const chunkIndex of [0, 1, 2]) {
      const draft = chunkIndex < 2;
      const entry = await addEntry(builder, {
        ...{ batchId: id, chunkIndex, status: draft ? 'draft' : 'published' },
      });
      if (draft) builder.remember('draft', entry.id);
    }
    const { id: last } = await addEntry(builder, { batchId: id, chunkIndex: 3, status: 'draft' });
    await splitDraft(builder.app, builder.operator, { name: String(last), position: 12 });
    builder.remember('splitDraft', last);
  }
}
