import { createUser } from '../../src/accounts/users/create-user.js';
import { mintToken } from '../../src/accounts/users/mint-token.js';
import type { Role } from '../../src/platform/actor.js';
import type { WorldBuilder } from './world-builder.js';
import type { Side } from './world.js';

export interface Person {
  id: number;
  email: string;
  password: string;
  role: Role;
  /** The present code of the second factor. */
  code: string;
  /** A long-lived token of this person. */
  apiToken: string;
}

export type People = Side['people'];

/** Adds people of each role, two of some roles, to show that a person's data is hidden from others of the same role. */
export async function addPeople(builder: WorldBuilder): Promise<People> {
  return {
    admin: await addPerson(builder, 'admin'),
    admin2: await addPerson(builder, 'admin'),
    backoffice: await addPerson(builder, 'backoffice'),
    user: await addPerson(builder, 'user'),
    user2: await addPerson(builder, 'user'),
    disabled: await addPerson(builder, 'user'),
  };
}

async function addPerson(builder: WorldBuilder, role: Role): Promise<Person> {
  const { app, operator } = builder;
  const password = `secret ${builder.uuid()}`;
  const email = `${role}@${builder.canary()}.example`;
  const displayName = `${role} ${builder.canary()}`;
  const { id } = await createUser(app, operator, { email, role, password, displayName });
  builder.remember('user', id);
  builder.remember('email', email);
  builder.secrets.push(password);
  const minted = await mintToken(app, operator, { email, name: builder.canary(), days: 30 });
  const rows = await app.db
    .read<{ id: number; user_id: number }>('api_tokens')
    .where({ user_id: id });
  builder.remember('token', ...rows.map((row) => row.id));
  return { id, email, password, role, code: 'none', apiToken: minted.token };
}
