import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pageOfChanges } from '../audit/audit-log.repository.js';
import type { App } from '../platform/app.js';
import { packageRoot } from '../platform/package-root.js';
import { listOrganizations } from '../tenancy/sites.repository.js';
import type { Check } from './check.js';

const name = 'clock';

/** How far apart clocks may be, in milliseconds. */
const toleranceMs = 60_000;

/**
 * Whether the clock of this machine stands before something that has happened already: tokens and leases would last
 * too long or not at all.
 */
export async function examineClock(app: Pick<App, 'db' | 'clock'>): Promise<Check> {
  const now = app.clock.now();
  const known: [what: string, at: Date][] = [
    ['this program was installed', (await stat(join(packageRoot(), 'package.json'))).mtime],
  ];
  for (const { id } of await listOrganizations(app)) {
    const filter = { actor: undefined, action: undefined, subject: undefined };
    const range = { first: undefined, last: undefined };
    const newest = await pageOfChanges(app, id, { ...filter, ...range }, { page: 1, limit: 1 });
    const at = newest.items[0]?.createdAt;
    if (at !== undefined) known.push(['the last change was made', new Date(at)]);
  }
  const ahead = known.find(([, at]) => at.getTime() > now.getTime() + toleranceMs);
  if (ahead === undefined) return { name, status: 'ok', finding: now.toISOString() };
  const [what, at] = ahead;
  return {
    name,
    status: 'warning',
    finding: `it says ${now.toISOString()}, but ${what} at ${at.toISOString()}`,
    remedy: 'Set the clock of this machine: timedatectl set-ntp true',
  };
}
