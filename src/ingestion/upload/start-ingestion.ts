import { createHash, randomUUID } from 'node:crypto';
import { recordChange } from '../../audit/record-change.js';
import { nameOf, requirePermission, type Actor, type Visibility } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import { chooseApp, type ChosenApp } from '../../tenancy/choose-app.js';
import type { Batch } from '../batches/batch.js';
import { batchFacts } from '../batches/batch.schema.js';
import { findBatch, insertBatch } from '../batches/batches.repository.js';
import { assertPdf } from '../../pdf/reader/syntax/check-file.js';
import { findDuplicate } from './find-duplicate.js';

export interface UploadInput {
  fileName: string;
  bytes: Uint8Array;
  /** The SHA-256 of the bytes in hexadecimal, if already known. */
  fileSha256?: string | undefined;
  /** The app and domain of the entries, if already chosen; otherwise chosen from `appId` and `domain`. */
  target?: ChosenApp | undefined;
  /** The path of the file, if it is on this machine: the file then keeps its name. */
  sourcePath?: string | undefined;
  appId?: number | undefined;
  domain?: string | undefined;
  /** The visibility tier of the entries; default: the app's. */
  visibility?: Visibility | undefined;
  /** Ingest the same bytes again. */
  force?: boolean | undefined;
}

/** The result of an upload. For a `duplicate`, the earlier batch of the same bytes. */
export interface StartedIngestion {
  batch: Batch;
  duplicate: boolean;
}

/**
 * Accepts a PDF. The bytes and the batch are stored together before this returns, so an accepted upload is never lost;
 * the worker does the rest. Refuses with `not_a_pdf`, `file_too_large`, and as chooseApp does.
 */
export async function startIngestion(
  app: App,
  actor: Actor,
  input: UploadInput,
): Promise<StartedIngestion> {
  const member = requirePermission(actor, 'knowledge.write');
  checkUpload(app, input);
  const target = input.target ?? (await chooseApp(app, member, input));
  const fileName = cleanFileName(input.fileName);
  const fileSha256 = input.fileSha256 ?? sha256Of(input.bytes);
  const file = {
    organizationId: member.organizationId,
    appId: target.app.id,
    domain: target.domain,
    fileName,
    fileSha256,
    visibility: input.visibility ?? null,
  };
  const started = await inTransaction(app, async (app) => {
    // Look inside the transaction: two uploads of one file at once create one batch.
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
  assertPdf(input.bytes);
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
