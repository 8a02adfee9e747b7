import { recordChange } from '../audit/record-change.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { listOrganizations } from '../tenancy/sites.repository.js';
import { createBackup } from './backup/create-backup.js';
import { listBackups, type ListedBackup } from './backup/list-backups.js';
import { requireOperator } from './operators.js';

export const backup = 'backup';

/** The backups of the installation, newest first. */
export async function listOwnBackups(app: App, actor: Actor): Promise<ListedBackup[]> {
  await requireOperator(app, actor);
  return listBackups(app.config);
}

/** True while the installation has one organization: a backup holds everything, so it would hold others' data too. */
export async function mayMakeBackup(app: App, actor: Actor): Promise<boolean> {
  await requireOperator(app, actor);
  return (await listOrganizations(app)).length === 1;
}

/**
 * Starts a backup into the backup folder, unless one is being made. Records who asked for it. Errors: `forbidden` in an
 * installation of several organizations.
 */
export async function startBackup(app: App, actor: Actor): Promise<void> {
  const { organizationId } = await requireOperator(app, actor);
  if (!(await mayMakeBackup(app, actor))) {
    throw new AppError(
      'forbidden',
      'A backup holds the data of every organization. Make it on the machine of the server: assistant backup',
      { reason: { is: 'backup_of_all' } },
    );
  }
  if (app.longWork.last(backup)?.isRunning === true) return;
  const subject = `organization:${organizationId}`;
  await recordChange(app, actor, { organizationId, action: 'backup.create', subject });
  const { configFile } = app;
  app.longWork.start(backup, async (signal) => {
    await createBackup(app, { configFile, signal });
  });
}
