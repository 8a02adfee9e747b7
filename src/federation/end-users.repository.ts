import type { Store } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow, plain, type RecordOf, table } from '../platform/db/record.js';
import { activeKey } from './widget-keys.repository.js';

export const endUsers = table('end_users', {
  id: plain<number>(),
  organizationId: plain<number>(),
  appId: plain<number>(),
  externalId: plain<string>(),
  email: plain<string | null>(),
  displayName: plain<string | null>(),
  /** The organization's user; null for a person whom a host identifies. */
  userId: plain<number | null>(),
});

/** A person by an app host's own id, or a user of the organization who signed in by the widget. */
export type EndUser = RecordOf<typeof endUsers>;

export async function insertEndUser(app: Store, user: Omit<EndUser, 'id'>): Promise<EndUser> {
  const now = timestamp(app.clock);
  const row = { ...endUsers.columns(user), created_at: now, updated_at: now };
  const id = await insertRow(app.db.write, 'end_users', row);
  return { id, ...user };
}

/** The end user of an app, if the key that identified them belongs to the app and is not revoked. */
export async function findVouchedFor(
  app: Store,
  { endUserId, appId, keyId }: { endUserId: number; appId: number; keyId: number },
): Promise<EndUser | undefined> {
  return endUsers.first(
    app.db
      .read('end_users')
      .where({ app_id: appId, id: endUserId })
      .whereExists(activeKey(app, keyId, appId)),
  );
}

/** The end user of an app by the host's id (only persons of the host), or by the user id. */
export async function findEndUser(
  app: Store,
  appId: number,
  by: { external_id: string; user_id: null } | { user_id: number },
): Promise<EndUser | undefined> {
  return endUsers.first(app.db.read('end_users').where({ app_id: appId, ...by }));
}

/** Those of these end users that belong to the organization's apps. */
export async function findEndUsersOf(
  app: Store,
  organizationId: number,
  ids: number[],
): Promise<EndUser[]> {
  return endUsers.all(
    app.db
      .read('end_users')
      .where({ organization_id: organizationId })
      .whereIn('id', ids)
      .orderBy('id'),
  );
}

/** The organization's end users with this address from their host. */
export async function findEndUsersByEmail(
  app: Store,
  organizationId: number,
  email: string,
): Promise<EndUser[]> {
  return endUsers.all(
    app.db
      .read('end_users')
      .where({ organization_id: organizationId })
      .whereRaw('(email = ? or lower(email) = ?)', [email, email.toLowerCase()])
      .orderBy('id'),
  );
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
