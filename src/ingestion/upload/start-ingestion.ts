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
  /** Of the bytes, in hexadecimal, where it is known already. */
  fileSha256?: string | undefined;
  /** Where the entries go, where that is chosen already; else chosen by app and domain. */
  target?: ChosenApp | undefined;
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
  assertPdf(input.bytes);
}

/** What names a file by its bytes, in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The refusal of a file that is over the limit, in MB. */
export function fileTooLarge(limit: number): AppError {
  return new AppError(
    'file_too_large',
    `The file is larger than ${limit} MB. Split it, or export it with smaller images.`,
  );
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
