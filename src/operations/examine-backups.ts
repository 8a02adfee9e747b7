import type { App } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import { newestPassage } from '../retrieval/vectors/vectors.repository.js';
import { listBackups } from './backup/list-backups.js';
import type { Check } from './check.js';

const name = 'backup';

/** The age at which a backup is missed, in days. */
const oldDays = 7;

/** How old the last backup is that stands where backups go. Those elsewhere are not known here. */
export async function examineBackups(
  config: Config,
  app: Pick<App, 'db' | 'clock'>,
): Promise<Check> {
  const listed = (await listBackups(config)).filter(({ form }) => form === 'archive');
  const last = listed.find(({ problem }) => problem === undefined);
  const remedy = 'Make one each night, and keep it elsewhere too: assistant backup';
  if (last === undefined) {
    // Before there is anything to lose, there is nothing to warn of.
    const finding = 'there is none yet';
    return (await newestPassage(app)) === 0
      ? { name, status: 'ok', finding }
      : { name, status: 'warning', finding, remedy };
  }
  const days = (app.clock.now().getTime() - Date.parse(last.createdAt)) / 86_400_000;
  const finding = `the last one is of ${last.createdAt}: ${last.file}`;
  return days <= oldDays
    ? { name, status: 'ok', finding }
    : { name, status: 'warning', finding, remedy };
}
