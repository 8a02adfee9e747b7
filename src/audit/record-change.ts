import { nameOf, type Actor } from '../platform/actor.js';
import type { App, Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertChanges, type NewChange } from './audit-log.repository.js';

/** A change of an organization's data. */
export interface Change {
  organizationId: number;
  /** `<noun>.<verb>`, e.g. `entry.update`, `widget_key.revoke`. */
  action: string;
  /** The changed record: `<noun>:<id>`. */
  subject: string;
  /** The changed fields in wire format. Never include a password, a secret or a hash. */
  before?: object | undefined;
  after?: object | undefined;
}

/**
 * Records who changed what, with the old and new values. Runs inside the transaction of the change, so that neither
 * exists without the other. Unchanged fields are dropped.
 */
export async function recordChange(app: Store, actor: Actor, change: Change): Promise<void> {
  await recordChanges(app, actor, [change]);
}

interface Recorded {
  organizationId: number;
  id: number;
  /** Names the record in place of its id, where it has one. */
  uuid?: string;
}

/** A record before and after its change. `before` is left out of a creation, and `after` of a deletion. */
interface States<T> {
  before?: T;
  after?: T;
}

/**
 * Returns a function that records the changes of one kind of record: `record(app, actor, 'update', { before, after })`
 * is `view.update` of `view:7`. `fields` gives the fields of a record in wire format.
 */
export function recorderOf<T>(noun: string, fields: (record: T) => object) {
  return async (
    app: Store,
    actor: Actor,
    verb: string,
    states: States<T & Recorded>,
  ): Promise<void> => {
    const { before, after } = states;
    const record = after ?? before;
    if (record === undefined) throw new Error(`${noun}.${verb} is a change of nothing`);
    await recordChange(app, actor, {
      organizationId: record.organizationId,
      action: `${noun}.${verb}`,
      subject: `${noun}:${record.uuid ?? record.id}`,
      before: before && fields(before),
      after: after && fields(after),
    });
  };
}

/** The same for several changes of one transaction. */
export async function recordChanges(
  app: Store,
  actor: Actor,
  changes: readonly Change[],
): Promise<void> {
  await insertChanges(
    app,
    changes.map((change) => toRow(app, nameOf(actor), change)),
  );
}

/** The same for a later job, in the name of the actor who requested it. */
export async function recordChangeBy(app: Store, actorName: string, change: Change): Promise<void> {
  await insertChanges(app, [toRow(app, actorName, change)]);
}

function toRow({ clock }: Pick<App, 'clock'>, actor: string, change: Change): NewChange {
  const [before, after] = differences(change.before, change.after);
  return {
    organization_id: change.organizationId,
    actor,
    action: change.action,
    subject: change.subject,
    before: before === undefined ? null : JSON.stringify(before),
    after: after === undefined ? null : JSON.stringify(after),
    created_at: timestamp(clock),
  };
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
