import {
  requirePermission,
  type Actor,
  type Member,
  type Visibility,
} from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { chooseApp, type ChosenApp } from '../../tenancy/choose-app.js';
import { documentOf } from '../../knowledge/entry.js';
import type { Batch } from '../batches/batch.js';
import { findReadings } from '../batches/batches.repository.js';
import { chooseDuplicate } from './find-duplicate.js';
import { cleanFileName } from './start-ingestion.js';

export const standings = ['new', 'changed', 'unchanged'] as const;
/** A file's relation to ingested files: an unknown name, another version, or the same bytes. */
export type Standing = (typeof standings)[number];

export interface FileToLookUp {
  fileName: string;
  /** Of the bytes, in hexadecimal. */
  fileSha256: string;
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
}

/**
 * Predicts the result of uploading a file, so that a script sends only new files. A file whose batch has not been
 * completed is not `unchanged`. Refuses as the upload would, except for problems of the bytes.
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
  file: Pick<FileToLookUp, 'fileName' | 'fileSha256' | 'visibility'>,
): Promise<LookedUp> {
  const place = { organizationId, appId: target.app.id, domain: target.domain };
  const upload = {
    ...place,
    fileName: cleanFileName(file.fileName),
    fileSha256: file.fileSha256,
    visibility: file.visibility ?? null,
  };
  const readings = await findReadings(app, organizationId, documentOf(upload));
  const batch = await chooseDuplicate(app, upload, readings);
  if (batch?.status === 'completed') return { target, standing: 'unchanged', batch };
  const earlier = readings.filter(({ id, status }) => id !== batch?.id && status !== 'failed');
  return { target, standing: earlier.length > 0 ? 'changed' : 'new', batch };
}
