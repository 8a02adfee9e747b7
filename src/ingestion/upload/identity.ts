import { AppError } from '../../platform/errors.js';
import type { Batch } from '../batches/batch.js';

/** A file to upload, as far as it decides which document it is a version of. */
export type Upload = Pick<
  Batch,
  | 'organizationId'
  | 'appId'
  | 'domain'
  | 'source'
  | 'folder'
  | 'fileName'
  | 'fileSha256'
  | 'visibility'
>;

/** In characters. */
const longestSource = 100;
export const longestFolder = 255;

/** The sentence about an unusable name of a source; undefined for a usable one. */
export function faultOfSource(source: string): string | undefined {
  const isUsable =
    source.trim() === source &&
    source !== '' &&
    source.length <= longestSource &&
    !/[/\\\p{C}\p{Zl}\p{Zp}]/u.test(source);
  if (isUsable) return undefined;
  return `A source is a name of 1 to ${longestSource} characters, without slashes and without spaces at its ends.`;
}

/**
 * True when the document of that name without a source gets the upload's source: its last version has the same bytes.
 * So an installation can start to state sources.
 */
export function isAdoptable(upload: Upload, unsourced: readonly Batch[]): boolean {
  const last = unsourced.find(({ status }) => status !== 'failed');
  return upload.source !== null && last?.fileSha256 === upload.fileSha256;
}

/**
 * Errors: `conflict` for a file without a stated source whose name is that of a document from another folder: nobody
 * said that it is a version of it. `readings` are those of the document, the newest first.
 */
export function assertSameFolder(
  { source, folder, fileName }: Upload,
  readings: readonly Batch[],
): void {
  const before = lastFolder(readings);
  if (source !== null || folder === null || before === null || isOneFolder(folder, before)) return;
  throw new AppError(
    'conflict',
    `A file ${fileName} was ingested before from the folder ${before}, and this one is from ${folder}. They may be two documents, so name a source for each folder, as in --source ${nameOf(folder)}. If the folder was only renamed, --force takes the file for the next version.`,
  );
}

/** The folder to store for a new version: what is known of it best. */
export function folderOf({ folder }: Upload, readings: readonly Batch[]): string | null {
  const before = lastFolder(readings);
  if (folder === null || before === null) return folder ?? before;
  return isOneFolder(folder, before) && before.length > folder.length ? before : folder;
}

function lastFolder(readings: readonly Batch[]): string | null {
  return readings.find(({ status }) => status !== 'failed')?.folder ?? null;
}

/** `docs` and `shop/docs` may be one folder, as seen from two places. */
function isOneFolder(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

function nameOf(folder: string): string {
  return folder.split('/').at(-1) ?? folder;
}
