import { createHash, randomUUID } from 'node:crypto';
import { recordChanges, recordChange } from '../../audit/record-change.js';
import {
  nameOf,
  requirePermission,
  type Actor,
  type Member,
  type Visibility,
} from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError, refusedField } from '../../platform/errors.js';
import { chooseApp, type ChosenApp } from '../../tenancy/choose-app.js';
import type { Batch, Lease, LeasedBatch } from '../batches/batch.js';
import { batchFacts } from '../batches/batch.schema.js';
import {
  cancelBatch,
  findRelated,
  insertBatches,
  type NewBatch,
  type RelatedBatches,
  renameReadings,
} from '../batches/batches.repository.js';
import type { DocumentKind } from '../../documents/document.js';
import { recognizeKind } from '../../documents/recognize-kind.js';
import { assertPdf } from '../../pdf/reader/syntax/check-file.js';
import { removeDraftsOfBatch } from '../../knowledge/store-entries.js';
import { findDuplicate } from './find-duplicate.js';
import {
  assertSameFolder,
  faultOfSource,
  folderOf,
  longestFolder,
  type Upload,
} from './identity.js';
import { renameDocument } from '../../knowledge/entries.repository.js';
import { documentOf } from '../../knowledge/entry.js';

export interface UploadInput {
  fileName: string;
  bytes: Uint8Array;
  /** The SHA-256 of the bytes in hexadecimal, if already known. */
  fileSha256?: string | undefined;
  /** The path of the file, if it is on this machine: the file then keeps its name. */
  sourcePath?: string | undefined;
  /** The source that the file belongs to, if one is stated: files of one name in two sources are two documents. */
  source?: string | undefined;
  /** The folder that the file was found in, as far as it is the same on every machine. */
  folder?: string | undefined;
  appId?: number | undefined;
  domain?: string | undefined;
  /** The visibility tier of the entries; default: the app's. */
  visibility?: Visibility | undefined;
  /** Where the file is a page of the web: its address. */
  sourceUrl?: string | undefined;
  /** The only kind that is accepted; default: all that are read. */
  only?: 'pdf' | undefined;
  /** Ingest the same bytes again. */
  force?: boolean | undefined;
  /** The caller works on the batch itself, and holds this lease of it from the start. */
  lease?: Lease | undefined;
}

/** The result of an upload. For a `duplicate`, the earlier batch of the same bytes. */
export type StartedIngestion =
  /** `isFirst`: nothing was read of its document before. */
  { batch: LeasedBatch; duplicate: false; isFirst: boolean } | { batch: Batch; duplicate: true };

/**
 * Accepts a document. The bytes and the batch are stored together before this returns, so an accepted upload is never lost;
 * the worker does the rest. Errors: `not_a_pdf`; `unsupported_kind`; `file_too_large`; `conflict` for a file of another folder without a
 * stated source; those of chooseApp.
 */
export async function startIngestion(
  app: App,
  actor: Actor,
  input: UploadInput,
): Promise<StartedIngestion> {
  const member = requirePermission(actor, 'knowledge.write');
  const target = await chooseApp(app, member, input);
  const [started] = await startIngestions(app, actor, target, [input]);
  return started;
}

/** The same for several files of one target, in one transaction: all are accepted, or none. */
export async function startIngestions<I extends readonly [UploadInput, ...UploadInput[]]>(
  app: App,
  actor: Actor,
  target: ChosenApp,
  inputs: I,
): Promise<{ [K in keyof I]: StartedIngestion }> {
  const member = requirePermission(actor, 'knowledge.write');
  const uploads = inputs.map((input) => {
    return toUpload(member, target, input, checkUpload(app, input));
  });
  const started = await inTransaction(app, async (app) => {
    const started = new Map<NewUpload, StartedIngestion>();
    for (let left = uploads; left.length > 0;) {
      // Of two files that are the same, or versions of one document, the second one is looked up after the first.
      const [wave, rest] = partOf(left);
      for (const [upload, one] of await storeUploads(app, member, wave)) started.set(upload, one);
      left = rest;
    }
    return started;
  });
  const results = uploads.map((upload) => started.get(upload) as StartedIngestion);
  if (results.some(({ duplicate }, index) => !duplicate && uploads[index]?.lease === undefined)) {
    app.jobs.wake();
  }
  return results as { [K in keyof I]: StartedIngestion };
}

/** An upload in the form in which it is stored. */
type NewUpload = NewBatch & { force: boolean };

function toUpload(
  member: Member,
  target: ChosenApp,
  input: UploadInput,
  kind: DocumentKind,
): NewUpload {
  return {
    id: randomUUID(),
    organizationId: member.organizationId,
    appId: target.app.id,
    domain: target.domain,
    source: input.source ?? null,
    folder: input.folder?.slice(-longestFolder) ?? null,
    fileName: cleanFileName(input.fileName),
    fileSha256: input.fileSha256 ?? sha256Of(input.bytes),
    kind,
    sourceUrl: input.sourceUrl ?? null,
    visibility: input.visibility ?? null,
    sourcePath: input.sourcePath ?? null,
    lease: input.lease,
    createdBy: nameOf(member),
    bytes: input.bytes,
    force: input.force === true,
  };
}

type Uploads = [NewUpload, ...NewUpload[]];

/** Splits uploads into those that differ in name and bytes, and the rest. */
function partOf(uploads: readonly NewUpload[]): [Uploads, NewUpload[]] {
  const seen = new Set<string>();
  const wave: NewUpload[] = [];
  const rest: NewUpload[] = [];
  for (const upload of uploads) {
    const { fileName, fileSha256 } = upload;
    const isFirst = !seen.has(fileName) && !seen.has(fileSha256);
    (isFirst ? wave : rest).push(upload);
    seen.add(fileName).add(fileSha256);
  }
  return [wave as Uploads, rest];
}

async function storeUploads(
  app: App,
  member: Member,
  uploads: Uploads,
): Promise<[NewUpload, StartedIngestion][]> {
  // Look inside the transaction: two uploads of one file at once create one batch.
  const related = await findRelated(app, uploads);
  const known: [NewUpload, StartedIngestion][] = [];
  const fresh: NewUpload[] = [];
  const first = new Set<string>();
  for (const [index, upload] of uploads.entries()) {
    const found = related[index] as RelatedBatches;
    const present = upload.force ? undefined : await findDuplicate(app, upload, found);
    if (present !== undefined) {
      const batch = await adoptDocument(app, member, present, upload);
      known.push([upload, { batch, duplicate: true }]);
      continue;
    }
    if (upload.force) await breakOff(app, upload, found.readings);
    else assertSameFolder(upload, found.readings);
    upload.folder = folderOf(upload, found.readings);
    if (found.readings.length === 0) first.add(upload.id);
    fresh.push(upload);
  }
  const stored = await insertBatches(app, fresh);
  const changes = stored.map((batch) => ({
    organizationId: member.organizationId,
    action: 'batch.start',
    subject: `batch:${batch.id}`,
    after: batchFacts(batch),
  }));
  await recordChanges(app, member, changes);
  const byId = new Map(stored.map((batch) => [batch.id, batch]));
  return [
    ...known,
    ...fresh.map((upload): [NewUpload, StartedIngestion] => [
      upload,
      {
        batch: byId.get(upload.id) as LeasedBatch,
        duplicate: false,
        isFirst: first.has(upload.id),
      },
    ]),
  ];
}

/**
 * Ends attempts with the same bytes that are under way or were broken off, and deletes their drafts. A worker that still
 * holds one loses its lease. Otherwise the earlier attempt and the forced one would both store the document.
 */
async function breakOff(app: App, upload: NewUpload, readings: readonly Batch[]): Promise<void> {
  for (const { id, organizationId, status, fileSha256 } of readings) {
    if (status !== 'processing' || fileSha256 !== upload.fileSha256) continue;
    await cancelBatch(app, id, 'The file was ingested again by force before this attempt ended.');
    await removeDraftsOfBatch(app, organizationId, id);
  }
}

/** Checks a file before it is stored, and returns its kind. */
function checkUpload(app: App, input: UploadInput): DocumentKind {
  const limit = app.config.ingestion.max_file_mb;
  if (input.bytes.byteLength > limit * 1024 * 1024) throw fileTooLarge(limit);
  if (input.only === 'pdf') assertPdf(input.bytes);
  const kind = input.only ?? recognizeKind(input.bytes, input.fileName);
  const fault = input.source === undefined ? undefined : faultOfSource(input.source);
  if (fault !== undefined) throw refusedField('source', fault);
  return kind;
}

/** The SHA-256 of a file's bytes in hexadecimal, which identifies the file. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The error for a file above the limit, in MB. */
export function fileTooLarge(limit: number): AppError {
  return new AppError(
    'file_too_large',
    `The file is larger than ${limit} MB. Split it, or export it with smaller images.`,
    { reason: { is: 'file_too_large', most: limit } },
  );
}

/** In characters. */
export const longestFileName = 255;

/** The last part of a client's file name, without characters that could affect a terminal, a path or a page. */
export function cleanFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, longestFileName);
  return clean === '' ? 'document.pdf' : clean;
}

/**
 * Gives a document without a source the one that an upload of the same file states, with all its versions and entries.
 * Any other document stays as it is. Returns the batch as it is then. Runs inside the caller's transaction.
 */
async function adoptDocument(
  app: App,
  member: Member,
  batch: Batch,
  upload: Upload,
): Promise<Batch> {
  const { source, fileName } = upload;
  if (source === null || batch.source !== null || batch.fileName !== fileName) return batch;
  const { organizationId } = batch;
  const document = documentOf(upload);
  await renameReadings(app, organizationId, batch.document, { document, source });
  await renameDocument(app, organizationId, batch.document, document);
  await recordChange(app, member, {
    organizationId,
    action: 'document.adopt',
    subject: `batch:${batch.id}`,
    before: { document: batch.document },
    after: { document },
  });
  return { ...batch, source, document };
}
