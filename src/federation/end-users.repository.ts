import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/insert-row.js';
import { activeKey } from './widget-keys.repository.js';

/** A person by an app host's own id, or a user of the organization who signed in by the widget. */
export interface EndUser {
  id: number;
  organizationId: number;
  appId: number;
  externalId: string;
  email: string | null;
  displayName: string | null;
  /** The organization's user; null for a person whom a host identifies. */
  userId: number | null;
}

interface EndUserRow {
  id: number;
  organization_id: number;
  app_id: number;
  external_id: string;
  email: string | null;
  display_name: string | null;
  user_id: number | null;
}

type Store = Pick<App, 'db' | 'clock'>;

export async function insertEndUser(app: Store, user: Omit<EndUser, 'id'>): Promise<EndUser> {
  const now = timestamp(app.clock);
  const id = await insertRow(app.db.write, 'end_users', {
    organization_id: user.organizationId,
    app_id: user.appId,
    external_id: user.externalId,
    email: user.email,
    display_name: user.displayName,
    user_id: user.userId,
    created_at: now,
    updated_at: now,
  });
  return { id, ...user };
}

/** The end user of an app, if the key that identified them belongs to the app and is not revoked. */
export async function findVouchedFor(
  app: Store,
  { endUserId, appId, keyId }: { endUserId: number; appId: number; keyId: number },
): Promise<EndUser | undefined> {
  const row = await app.db
    .read<EndUserRow>('end_users')
    .where({ app_id: appId, id: endUserId })
    .whereExists(activeKey(app, keyId, appId))
    .first();
  return row === undefined ? undefined : toEndUser(row);
}

/** The end user of an app by the host's id (only persons of the host), or by the user id. */
export async function findEndUser(
  app: Store,
  appId: number,
  by: { external_id: string; user_id: null } | { user_id: number },
): Promise<EndUser | undefined> {
  const row = await app.db
    .read<EndUserRow>('end_users')
    .where({ app_id: appId, ...by })
    .first();
  return row === undefined ? undefined : toEndUser(row);
}

export async function findEndUserOf(
  app: Store,
  organizationId: number,
  id: number,
): Promise<EndUser | undefined> {
  const row = await app.db
    .read<EndUserRow>('end_users')
    .where({ organization_id: organizationId, id })
    .first();
  return row === undefined ? undefined : toEndUser(row);
}

/** Those of these end users that belong to the organization's apps. */
export async function findEndUsersOf(
  app: Store,
  organizationId: number,
  ids: number[],
): Promise<EndUser[]> {
  const rows = await app.db
    .read<EndUserRow>('end_users')
    .where({ organization_id: organizationId })
    .whereIn('id', ids)
    .select('*');
  return rows.map(toEndUser);
}

/** The organization's end users with this address from their host. */
export async function findEndUsersByEmail(
  app: Store,
  organizationId: number,
  email: string,
): Promise<EndUser[]> {
  const rows = await app.db
    .read<EndUserRow>('end_users')
    .where({ organization_id: organizationId })
    .whereRaw('(email = ? or lower(email) = ?)', [email, email.toLowerCase()])
    .select('*');
  return rows.map(toEndUser);
}

export async function updateEndUser(
  app: Store,
  id: number,
  fields: Pick<EndUser, 'email' | 'displayName'>,
): Promise<void> {
  await app.db
    .write('end_users')
    .where({ id })
    .update({
      email: fields.email,
      display_name: fields.displayName,
      updated_at: timestamp(app.clock),
    });
}

function toEndUser(row: EndUserRow): EndUser {
  return {
    id: row.id,
    organizationId: row.organization_id,
    appId: row.app_id,
    externalId: row.external_id,
    email: row.email,
    displayName: row.display_name,
    userId: row.user_id,
  };
}
