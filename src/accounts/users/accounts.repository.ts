import type { Knex } from 'knex';
import type { Role } from '../../platform/actor.js';
import type { Store, WithDb } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow, flag, plain, record, type RecordOf } from '../../platform/db/record.js';
import { countOf, type Page, type Paged } from '../../platform/db/select-page.js';

const users = record({
  id: plain<number>(),
  organizationId: plain<number>(),
  email: plain<string>(),
  displayName: plain<string>(),
  role: plain<Role>(),
  disabled: flag(),
  /** To the hour; null for never. */
  lastSeenAt: plain<string | null>(),
  createdAt: plain<string>(),
  updatedAt: plain<string>(),
});

export type User = RecordOf<typeof users>;

export interface UserWithPassword extends User {
  passwordHash: string | null;
}

/** The changeable fields of a user. Missing fields stay unchanged. */
export type UserChange = Partial<Pick<User, 'email' | 'displayName' | 'role' | 'disabled'>>;

export interface UserFilter {
  role?: Role | undefined;
  disabled?: boolean | undefined;
  /** A part of the e-mail address or the name. */
  q?: string | undefined;
}

interface UserRow {
  id: number;
  email_key: string;
  password_hash: string | null;
}

/** Normalizes an address for comparison: case and Unicode composition do not matter. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

export async function insertUser(
  app: Store,
  fields: Omit<UserWithPassword, 'id' | 'lastSeenAt' | 'createdAt' | 'updatedAt'>,
): Promise<User> {
  const now = timestamp(app.clock);
  const { passwordHash, ...user } = fields;
  const made = { ...user, lastSeenAt: null, createdAt: now, updatedAt: now };
  const id = await insertRow(app.db.write, 'users', {
    ...users.columns(made),
    email_key: emailKey(user.email),
    password_hash: passwordHash,
  });
  return { id, ...made };
}

export async function findUserByEmail(
  app: Store,
  email: string,
): Promise<UserWithPassword | undefined> {
  const row = await app.db
    .read<UserRow>('users')
    .where({ email_key: emailKey(email) })
    .first();
  return row === undefined ? undefined : { ...users.read(row), passwordHash: row.password_hash };
}

export async function findUser(app: Store, id: number): Promise<User | undefined> {
  return users.first(app.db.read('users').where({ id }));
}

export async function findPasswordHash(app: Store, id: number): Promise<string | null> {
  const row = await app.db.read<UserRow>('users').where({ id }).first('password_hash');
  return row?.password_hash ?? null;
}

export async function findUserOf(
  app: Store,
  organizationId: number,
  id: number,
): Promise<User | undefined> {
  return users.first(app.db.read('users').where({ id, organization_id: organizationId }));
}

export async function listUsers(app: Store, organizationId: number): Promise<User[]> {
  return users.all(app.db.read('users').where({ organization_id: organizationId }).orderBy('id'));
}

/** A subquery of the ids of an organization's users, for conditions on their records. */
export function userIdsOf(app: WithDb, organizationId: number): Knex.QueryBuilder {
  return app.db.read('users').where({ organization_id: organizationId }).select('id');
}

/** A subquery of the ids of users who may sign in, filtered by staff or not. */
export function activeUserIds(app: WithDb, { staff }: { staff: boolean }): Knex.QueryBuilder {
  const query = app.db.read('users').where({ disabled: false }).select('id');
  return staff ? query : query.where({ role: 'user' });
}

/** A subquery: the user of a column, if they were staff at or after the time in another column and are not now. */
export function staffAfter(
  app: WithDb,
  { user, time }: { user: string; time: string },
): Knex.QueryBuilder {
  return app.db.read('users').whereRaw('users.id = ?? and users.staff_until >= ??', [user, time]);
}

export async function findUsersById(app: Store, ids: number[]): Promise<User[]> {
  return users.all(app.db.read('users').whereIn('id', ids));
}

export async function pageOfUsers(
  app: Store,
  organizationId: number,
  filter: UserFilter,
  page: Page,
): Promise<Paged<User>> {
  const query = app.db.read('users').where({ organization_id: organizationId });
  if (filter.role !== undefined) void query.where({ role: filter.role });
  if (filter.disabled !== undefined) void query.where({ disabled: filter.disabled });
  if (filter.q !== undefined && filter.q.trim() !== '') {
    const part = `%${emailKey(filter.q).replaceAll(/[\\%_]/g, '\\$&')}%`;
    void query.whereRaw(
      "(email_key like ? escape '\\' or lower(display_name) like ? escape '\\')",
      [part, part],
    );
  }
  return users.page(query, [{ column: 'id' }], page);
}

/** The number of admins of the organization, without one user. */
export async function countOtherAdmins(
  app: Store,
  { organizationId, id }: Pick<User, 'organizationId' | 'id'>,
): Promise<number> {
  return countOf(
    app.db
      .read('users')
      .where({ organization_id: organizationId, role: 'admin', disabled: false })
      .whereNot({ id }),
  );
}

export async function updateUserRow(app: Store, id: number, change: UserChange): Promise<void> {
  const { email, role } = change;
  const now = timestamp(app.clock);
  const staffUntil = app.db.write.raw("case when role = 'user' then staff_until else ? end", [now]);
  await app.db
    .write('users')
    .where({ id })
    .update({
      ...users.changes({ ...change, updatedAt: now }),
      ...(email === undefined ? {} : { email_key: emailKey(email) }),
      ...(role === 'user' ? { staff_until: staffUntil } : {}),
    });
}

export async function setPasswordHash(app: Store, id: number, hash: string): Promise<void> {
  const updated_at = timestamp(app.clock);
  await app.db.write('users').where({ id }).update({ password_hash: hash, updated_at });
}

/** Invalidates every access and API token that was signed before now. */
export async function setTokensValidFromNow(app: Store, id: number): Promise<void> {
  await app.db
    .write('users')
    .where({ id })
    .update({ tokens_valid_from: timestamp(app.clock) });
}

export async function deleteUserRow(app: Store, id: number): Promise<void> {
  await app.db.write('users').where({ id }).delete();
}
