import { createHash, randomUUID } from 'node:crypto';
import { recordChange } from '../../audit/record-change.js';
import { nameOf, requirePermission, type Actor, type Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { chooseApp } from '../../tenancy/choose-app.js';
import type { Batch } from '../batches/batch.js';
import { batchFacts } from '../batches/batch.schema.js';
import { findBatch, insertBatch } from '../batches/batches.repository.js';
import { findDuplicate } from './find-duplicate.js';

export interface UploadInput {
  fileName: string;
  bytes: Uint8Array;
  /** Where the file lies, if it lies on this machine: it keeps its name then. */
  sourcePath?: string | undefined;
  appId?: number | undefined;
  domain?: string | undefined;
  /** The tier that the entries get; the app's default when not given. */
  visibility?: Visibility | undefined;
  /** Ingests the same bytes once more. */
  force?: boolean | undefined;
}

/** What became of an upload. A `duplicate` answers the batch that the same bytes made before. */
export interface StartedIngestion {
  batch: Batch;
  duplicate: boolean;
}

/**
 * Takes a PDF in: its bytes and its batch are stored together before this answers, so an accepted upload is
 * never lost. The worker does the rest. Refuses with `not_a_pdf`, `file_too_large`, and what chooseApp does.
 */
export async function startIngestion(
  app: App,
  actor: Actor,
  input: UploadInput,
): Promise<StartedIngestion> {
  const member = requirePermission(actor, 'knowledge.write');
  checkUpload(app, input);
  const target = await chooseApp(app, member, { appId: input.appId, domain: input.domain });
  const fileName = cleanFileName(input.fileName);
  const fileSha256 = createHash('sha256').update(input.bytes).digest('hex');
  const file = {
    organizationId: member.organizationId,
    appId: target.app.id,
    domain: target.domain,
    fileName,
    fileSha256,
    visibility: input.visibility ?? null,
  };
  const started = await inTransaction(app, async (app) => {
    // Asked inside the transaction: two uploads of one file at once make one batch.
    const present = input.force === true ? undefined : await findDuplicate(app, file);
    if (present !== undefined) return { batch: present, duplicate: true };
    const id = randomUUID();
    await insertBatch(
      app,
      {
        ...file,
        id,
        sourcePath: input.sourcePath ?? null,
        fileSize: input.bytes.byteLength,
        createdBy: nameOf(member),
      },
      input.bytes,
    );
    const batch = await findBatch(app, member.organizationId, id);
    if (batch === undefined) throw new Error('the batch that was stored is not there');
    await recordChange(app, member, {
      organizationId: member.organizationId,
      action: 'batch.start',
      subject: `batch:${id}`,
      after: batchFacts(batch),
    });
    return { batch, duplicate: false };
  });
  if (!started.duplicate) app.jobs.wake();
  return started;
}

function checkUpload(app: App, input: UploadInput): void {
  const limit = app.config.ingestion.max_file_mb;
  if (input.bytes.byteLength > limit * 1024 * 1024) throw fileTooLarge(limit);
  if (!isPdf(input.bytes)) throw notAPdf(input.bytes);
}

/** The refusal of bytes that are no PDF. */
export function notAPdf(bytes: Uint8Array): AppError {
  const what = bytes.byteLength === 0 ? 'is empty' : 'is not a PDF, whatever its name says';
  return new AppError(
    'not_a_pdf',
    `The file ${what}. Export or print the document as PDF and upload that.`,
  );
}

/** The refusal of a file that is over the limit, in MB. */
export function fileTooLarge(limit: number): AppError {
  return new AppError(
    'file_too_large',
    `The file is larger than ${limit} MB. Split it, or export it with smaller images.`,
  );
}

/** Whether the header that the PDF specification wants stands within the first 1024 bytes. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');
}

/** In characters. */
export const longestFileName = 255;

/** The last part of a client's file name, without what could act on a terminal, a path or a page. */
export function cleanFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, longestFileName);
  return clean === '' ? 'document.pdf' : clean;
}
