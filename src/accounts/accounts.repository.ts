import type { Role } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { insertRow } from '../platform/db/insert-row.js';

export interface User {
  id: number;
  organizationId: number;
  email: string;
  displayName: string;
  role: Role;
  disabled: boolean;
}

export interface UserWithPassword extends User {
  passwordHash: string | null;
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
}

type Store = Pick<App, 'db' | 'clock'>;

/** Addresses are compared without regard to case and to how a letter is composed. */
function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

export async function insertUser(app: Store, fields: Omit<UserWithPassword, 'id'>): Promise<User> {
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
  return { id: await insertRow(app.db.write, 'users', row), ...user };
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

export async function listUsers(app: Store, organizationId: number): Promise<User[]> {
  const rows = await app.db
    .read<UserRow>('users')
    .where({ organization_id: organizationId })
    .orderBy('id')
    .select('*');
  return rows.map(toUser);
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    organizationId: row.organization_id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    disabled: Boolean(row.disabled),
  };
}
