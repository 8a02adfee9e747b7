import {
  requirePermission,
  type Actor,
  type Member,
  type Visibility,
} from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { chooseApp, type ChosenApp } from '../../tenancy/choose-app.js';
import type { Batch } from '../batches/batch.js';
import { findRelated } from '../batches/batches.repository.js';
import { findDuplicate } from './find-duplicate.js';
import { assertSameFolder } from './identity.js';
import { cleanFileName } from './start-ingestion.js';

export const standings = ['new', 'changed', 'unchanged'] as const;
/** A file's relation to ingested files: an unknown name, another version, or bytes that were accepted before. */
export type Standing = (typeof standings)[number];

export interface FileToLookUp {
  fileName: string;
  /** Of the bytes, in hexadecimal. */
  fileSha256: string;
  source?: string | undefined;
  folder?: string | undefined;
  appId?: number | undefined;
  domain?: string | undefined;
  visibility?: Visibility | undefined;
}

export interface LookedUp {
  /** The app and domain of the file's entries. */
  target: ChosenApp;
  standing: Standing;
  /** The existing batch that an upload returns; undefined when the upload creates one. */
  batch: Batch | undefined;
  /** The last version of its document; undefined for a new one. */
  last: Batch | undefined;
}

/**
 * Predicts the result of uploading a file, so that a script sends only new files. A file whose batch is still worked on
 * is `unchanged`: who uploaded it has it. One whose batch failed is not. Refuses as the upload would, except for
 * problems of the bytes.
 */
export async function lookUpFile(app: App, actor: Actor, file: FileToLookUp): Promise<LookedUp> {
  const member = requirePermission(actor, 'knowledge.write');
  const target = await chooseApp(app, member, { appId: file.appId, domain: file.domain });
  return lookUpIn(app, member, target, file);
}

/** As lookUpFile, with a chosen target: it is the same for hundreds of files. */
export async function lookUpIn(
  app: App,
  { organizationId }: Member,
  target: ChosenApp,
  file: Omit<FileToLookUp, 'appId' | 'domain'> & { force?: boolean },
): Promise<LookedUp> {
  const upload = {
    organizationId,
    appId: target.app.id,
    domain: target.domain,
    source: file.source ?? null,
    folder: file.folder ?? null,
    fileName: cleanFileName(file.fileName),
    fileSha256: file.fileSha256,
    visibility: file.visibility ?? null,
  };
  const [related] = await findRelated(app, [upload]);
  const batch = file.force === true ? undefined : await findDuplicate(app, upload, related);
  if (batch !== undefined && batch.status !== 'failed') {
    return { target, standing: 'unchanged', batch, last: batch };
  }
  if (file.force !== true && batch === undefined) assertSameFolder(upload, related.readings);
  const last = related.readings.find(({ id, status }) => id !== batch?.id && status !== 'failed');
  return { target, standing: last === undefined ? 'new' : 'changed', batch, last };
}
