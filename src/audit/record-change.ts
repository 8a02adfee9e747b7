import { nameOf, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertChange } from './audit-log.repository.js';

/** One change that somebody made to what an organization owns. */
export interface Change {
  organizationId: number;
  /** `<noun>.<verb>`, e.g. `entry.update`, `widget_key.revoke`. */
  action: string;
  /** What was changed: `<noun>:<id>`. */
  subject: string;
  /** The fields at stake, as the wire has them: never a password, a secret or a hash. */
  before?: object | undefined;
  after?: object | undefined;
}

/**
 * Writes down who changed what, and from what to what. Runs inside the transaction of the change itself, so
 * that neither stands without the other. Of fields that are the same on both sides none is kept.
 */
export async function recordChange(
  app: Pick<App, 'db' | 'clock'>,
  actor: Actor,
  change: Change,
): Promise<void> {
  await recordChangeBy(app, nameOf(actor), change);
}

/** The same for what a job does later, in the name of the actor who asked for it. */
export async function recordChangeBy(
  app: Pick<App, 'db' | 'clock'>,
  actorName: string,
  change: Change,
): Promise<void> {
  const [before, after] = differences(change.before, change.after);
  await insertChange(app, {
    organization_id: change.organizationId,
    actor: actorName,
    action: change.action,
    subject: change.subject,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
    created_at: timestamp(app.clock),
  });
}

function differences(
  before: object | undefined,
  after: object | undefined,
): [object | undefined, object | undefined] {
  if (before === undefined || after === undefined) return [before, after];
  const old = before as Record<string, unknown>;
  const now = after as Record<string, unknown>;
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (key) => JSON.stringify(old[key]) !== JSON.stringify(now[key]),
  );
  const only = (fields: Record<string, unknown>) =>
    Object.fromEntries(changed.filter((key) => key in fields).map((key) => [key, fields[key]]));
  return [only(old), only(now)];
}
