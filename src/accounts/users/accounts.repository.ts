import type { Knex } from 'knex';
import type { Role } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/insert-row.js';
import { selectPage, type Page, type Paged } from '../../platform/db/select-page.js';

export interface User {
  id: number;
  organizationId: number;
  email: string;
  displayName: string;
  role: Role;
  disabled: boolean;
  createdAt: string;
  updatedAt: string;
}

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
  organization_id: number;
  email: string;
  email_key: string;
  display_name: string;
  role: Role;
  password_hash: string | null;
  disabled: number | boolean;
  created_at: string;
  updated_at: string;
}

type Store = Pick<App, 'db' | 'clock'>;

/** Normalizes an address for comparison: case and Unicode composition do not matter. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

export async function insertUser(
  app: Store,
  fields: Omit<UserWithPassword, 'id' | 'createdAt' | 'updatedAt'>,
): Promise<User> {
  const now = timestamp(app.clock);
  const { passwordHash, ...user } = fields;
  const row = {
    organization_id: fields.organizationId,
    email: fields.email,
    email_key: emailKey(fields.email),
    display_name: fields.displayName,
    role: fields.role,
    password_hash: passwordHash,
    disabled: fields.disabled,
    created_at: now,
    updated_at: now,
  };
  const id = await insertRow(app.db.write, 'users', row);
  return { id, ...user, createdAt: now, updatedAt: now };
}

export async function findUserByEmail(
  app: Store,
  email: string,
): Promise<UserWithPassword | undefined> {
  const row = await app.db
    .read<UserRow>('users')
    .where({ email_key: emailKey(email) })
    .first();
  return row === undefined ? undefined : { ...toUser(row), passwordHash: row.password_hash };
}

export async function findUser(app: Store, id: number): Promise<User | undefined> {
  const row = await app.db.read<UserRow>('users').where({ id }).first();
  return row === undefined ? undefined : toUser(row);
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
  const row = await app.db
    .read<UserRow>('users')
    .where({ id, organization_id: organizationId })
    .first();
  return row === undefined ? undefined : toUser(row);
}

export async function listUsers(app: Store, organizationId: number): Promise<User[]> {
  const rows = await app.db
    .read<UserRow>('users')
    .where({ organization_id: organizationId })
    .orderBy('id')
    .select('*');
  return rows.map(toUser);
}

/** A subquery of the ids of an organization's users, for conditions on their records. */
export function userIdsOf(app: Pick<App, 'db'>, organizationId: number): Knex.QueryBuilder {
  return app.db.read('users').where({ organization_id: organizationId }).select('id');
}

/** A subquery of the ids of users who may sign in, filtered by staff or not. */
export function activeUserIds(
  app: Pick<App, 'db'>,
  { staff }: { staff: boolean },
): Knex.QueryBuilder {
  const query = app.db.read('users').where({ disabled: false }).select('id');
  return staff ? query : query.where({ role: 'user' });
}

/** A subquery: the user of a column, if they were staff at or after the time in another column and are not now. */
export function staffAfter(
  app: Pick<App, 'db'>,
  { user, time }: { user: string; time: string },
): Knex.QueryBuilder {
  return app.db.read('users').whereRaw('users.id = ?? and users.staff_until >= ??', [user, time]);
}

export async function findUsersById(app: Store, ids: number[]): Promise<User[]> {
  const rows = await app.db.read<UserRow>('users').whereIn('id', ids).select('*');
  return rows.map(toUser);
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
  return selectPage(query, [{ column: 'id' }], page, toUser);
}

/** The number of admins of the organization, without one user. */
export async function countOtherAdmins(
  app: Store,
  { organizationId, id }: Pick<User, 'organizationId' | 'id'>,
): Promise<number> {
  const counted = (await app.db
    .read('users')
    .where({ organization_id: organizationId, role: 'admin', disabled: false })
    .whereNot({ id })
    .count({ count: '*' })
    .first()) as { count: number };
  return counted.count;
}

export async function updateUserRow(app: Store, id: number, change: UserChange): Promise<void> {
  const { email, displayName, role, disabled } = change;
  const now = timestamp(app.clock);
  const staffUntil = app.db.write.raw("case when role = 'user' then staff_until else ? end", [now]);
  await app.db
    .write('users')
    .where({ id })
    .update({
      ...(email === undefined ? {} : { email, email_key: emailKey(email) }),
      ...(displayName === undefined ? {} : { display_name: displayName }),
      ...(role === undefined ? {} : { role }),
      ...(role === 'user' ? { staff_until: staffUntil } : {}),
      ...(disabled === undefined ? {} : { disabled }),
      updated_at: now,
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

function toUser(row: UserRow): User {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    disabled: Boolean(row.disabled),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
