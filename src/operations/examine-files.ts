import { existsSync } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dayMs } from '../platform/clock.js';
import { holdsSecrets } from '../platform/config/secret-settings.js';
import type { Config } from '../platform/config/schema.js';
import { messageOf } from '../platform/errors.js';
import type { Check } from './doctor.schema.js';
import type { Store } from '../platform/app.js';
import { newestPassage } from '../search/vectors/vectors.repository.js';
import { findLastBackup, type LastBackup } from './backup/list-backups.js';
import { freeSpace, sizeText } from './backup/scratch-space.js';

/** Free space below which a full disk is near, and below which nothing can be relied on to be stored, in bytes. */
const littleSpace = 1024 ** 3;
const noSpace = 16 * 1024 ** 2;
/** In days: an older last backup is too old. */
const oldBackupDays = 7;

/** Checks that there is a configuration file, and who can read its secrets. */
export async function examineConfiguration(file: string | undefined): Promise<Check> {
  const name = 'configuration';
  if (file === undefined) {
    const remedy = 'Write one with: assistant init';
    const finding = 'no file, defaults serve';
    return { name, status: 'warning', code: 'no_config', finding, remedy };
  }
  if (holdsSecrets(await readFile(file, 'utf8')) && (await isOpenToOthers(file))) {
    return {
      name,
      status: 'warning',
      code: 'config_open',
      values: { file },
      finding: `${file} holds secrets, and every user of this machine can read it`,
      remedy: `Keep it to its owner: chmod 600 ${file}`,
    };
  }
  return { name, status: 'ok', finding: file };
}

/** Checks that the database's folder is writable, has space, and is private. */
export async function examineFolder(config: Config): Promise<Check[]> {
  const name = 'data folder';
  const { path } = config.database;
  const folder = dirname(path);
  try {
    await access(folder, constants.R_OK | constants.W_OK);
    if (existsSync(path)) await access(path, constants.R_OK | constants.W_OK);
    const free = await freeSpace(folder);
    const finding = `${folder}, ${sizeText(free)} free`;
    const remedy = 'Free some space, or move database.path to a larger disk.';
    const said = { name, code: 'disk', values: { folder, free: sizeText(free) }, finding };
    const space: Check =
      free >= littleSpace
        ? { ...said, status: 'ok' }
        : { ...said, status: free < noSpace ? 'failed' : 'warning', remedy };
    return [space, ...(await examineRights(path))];
  } catch (error) {
    // The finding about the database says what to do.
    const said = { name, status: 'failed' } as const;
    if (!existsSync(folder))
      return [{ ...said, code: 'no_folder', values: { folder }, finding: `there is no ${folder}` }];
    const { remedy, values } = await rightsRemedy(folder, path);
    return [
      {
        ...said,
        code: 'folder_closed',
        values: { folder, ...values },
        finding: messageOf(error),
        remedy,
      },
    ];
  }
}

/** How to let the present user write the database and its folder: usually the command that changes their owner. */
export async function rightsRemedy(
  folder: string,
  database: string,
): Promise<Required<Pick<Check, 'remedy' | 'values'>>> {
  const code = await access(folder, constants.W_OK).then(
    () => undefined,
    (error: unknown) => (error as NodeJS.ErrnoException).code,
  );
  if (code === 'EROFS') {
    const remedy =
      'Its file system is read-only. Look into the log of the system for the reason, and mount it for writing, or move database.path to another disk.';
    return { remedy, values: { cause: 'read_only' } };
  }
  const quoted = /^[\w./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`;
  const user = process.getuid?.();
  const owners = await Promise.all(
    [folder, database].map((path) => stat(path).catch(() => undefined)),
  );
  const isOwn = owners.every((found) => found === undefined || found.uid === user);
  const mode = `chmod -R u+rwX ${quoted}`;
  if (isOwn || user === undefined) {
    const values = { cause: 'rights', command: mode };
    return { remedy: `Let this user read and write it: ${mode}`, values };
  }
  const command = `sudo chown -R ${user} ${quoted} && sudo ${mode}`;
  const remedy = `Run this as the user that owns it, as the server does, or give it to this one: ${command}`;
  return { remedy, values: { cause: 'owner', command } };
}

async function examineRights(database: string): Promise<Check[]> {
  if (!existsSync(database) || !(await isOpenToOthers(database))) return [];
  const finding = `every user of this machine can read ${database}`;
  const values = { database, folder: dirname(database) };
  const remedy = `Keep it to its owner: chmod 700 ${values.folder}`;
  const said = { code: 'rights_open', values, finding, remedy };
  return [{ name: 'file rights', status: 'warning', ...said }];
}

/** True when other users can read a file. All folders above it must be accessible too. */
async function isOpenToOthers(file: string): Promise<boolean> {
  // Modes on Windows do not show who may read a file.
  if (process.platform === 'win32') return false;
  if (((await stat(file)).mode & 0o004) === 0) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** The age of the latest backup. Copies that somebody made of it elsewhere are unknown. */
export async function examineBackups(config: Config, app: Store): Promise<Check> {
  return judgeBackup(await findLastBackup(config), app);
}

export async function judgeBackup(last: LastBackup | undefined, app: Store): Promise<Check> {
  const name = 'backup';
  const remedy = 'Make one each night, and keep it elsewhere too: assistant backup';
  if (last === undefined) {
    // Without any data there is nothing to warn about.
    const finding = 'there is none yet';
    return (await newestPassage(app)) === 0
      ? { name, status: 'ok', code: 'no_backup', finding }
      : { name, status: 'warning', code: 'no_backup', finding, remedy };
  }
  const days = (app.clock.now().getTime() - Date.parse(last.createdAt)) / dayMs;
  const verified =
    last.verifiedAt === null ? 'not verified' : `verified ${minuteOf(last.verifiedAt)}`;
  const finding = `the last one is of ${minuteOf(last.createdAt)} UTC, ${verified}: ${last.file}`;
  const at = minuteOf(last.verifiedAt ?? '');
  const values = { made: minuteOf(last.createdAt), verified: at, file: last.file };
  if (days < -1) {
    return {
      name,
      status: 'warning',
      code: 'backup_in_future',
      values,
      finding: `the date of the last one is yet to come (${values.made} UTC), so the clock was wrong then, or is now: ${last.file}`,
      remedy:
        'Set the clock. If that of the backup was wrong, move its file to another folder, and make a new one: assistant backup',
    };
  }
  const code = last.verifiedAt === null ? 'backup_unverified' : 'backup_verified';
  const said = { name, code, values, finding };
  return days <= oldBackupDays ? { ...said, status: 'ok' } : { ...said, status: 'warning', remedy };
}

function minuteOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
