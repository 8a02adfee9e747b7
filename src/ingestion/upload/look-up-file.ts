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
/** How a file stands to what was ingested: nothing of its name, another version of it, its very bytes. */
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
  /** Where the file's entries would go. */
  target: ChosenApp;
  standing: Standing;
  /** The batch that an upload of the file would be answered with; undefined where it would make one. */
  batch: Batch | undefined;
}

/**
 * What an upload of a file would come to, before it is sent: a script asks first, and sends what is new. A file whose
 * batch has not been completed is not `unchanged`. Refuses as the upload would, but for what its bytes are refused.
 */
export async function lookUpFile(app: App, actor: Actor, file: FileToLookUp): Promise<LookedUp> {
  const member = requirePermission(actor, 'knowledge.write');
  const target = await chooseApp(app, member, { appId: file.appId, domain: file.domain });
  return lookUpIn(app, member, target, file);
}

/** The same of a file whose target is chosen: of hundreds of files it is the same each time. */
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
