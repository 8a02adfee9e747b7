import {
  emailKey,
  findUserByEmail,
  findUserOf,
  type User,
} from '../accounts/accounts.repository.js';
import { findChangedFields } from '../audit/audit-log.repository.js';
import { findConversation } from '../conversations/conversations.repository.js';
import {
  findEndUserOf,
  findEndUsersByEmail,
  findEndUsersOf,
  type EndUser,
} from '../federation/end-users.repository.js';
import { accountBehind, listIdentitiesOf } from '../federation/one-person.repository.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { personNames, type NamedPerson, type PersonKeys } from './person.js';
import { hasPersonalRows } from './personal-rows.repository.js';

export interface FoundPerson {
  /** `user:7`, or the first of what was found under an address. */
  name: string;
  keys: PersonKeys;
  user: User | undefined;
  /** The account that an end user is linked with: no part of what was asked for, and the same person. */
  linkedAccount: string | undefined;
}

/**
 * All that leads to a person in an organization. A user comes with the identities that are linked to the account; an
 * end user alone is the one of its app; an address means the user and the end users who have it; a conversation means
 * the person who holds it. Refuses with `not_found` a name under which the organization stores nothing.
 */
export async function findPerson(
  app: App,
  organizationId: number,
  named: NamedPerson,
): Promise<FoundPerson> {
  const { user, endUsers, visitorIds } = await look(app, organizationId, named);
  const linked = user === undefined ? [] : await listIdentitiesOf(app, user.id);
  const identities = await findEndUsersOf(app, organizationId, linked);
  const all = [
    ...endUsers,
    ...identities.filter(({ id }) => !endUsers.some((one) => one.id === id)),
  ];
  const emails = [user?.email, ...all.map(({ email }) => email)].flatMap((email) => email ?? []);
  const keys: PersonKeys = {
    organizationId,
    userIds: user === undefined ? [] : [user.id],
    endUserIds: all.map(({ id }) => id),
    visitorIds,
    emails: [...new Set(emails)],
    mentions: [],
  };
  const [name] = [...personNames(keys), ...visitorIds.map((id) => `visitor:${id}`)];
  if (name === undefined || (visitorIds.length > 0 && !(await hasPersonalRows(app, keys)))) {
    throw unknown(named);
  }
  const former =
    user === undefined ? [] : await findChangedFields(app, organizationId, name, 'email');
  keys.mentions = [
    ...[...emails, ...former].map((email) => JSON.stringify(email)),
    ...all.map(({ externalId }) => `"external_id":${JSON.stringify(externalId)}`),
    ...visitorIds.map((id) => JSON.stringify(id)),
  ];
  const [first] = all;
  const account =
    user === undefined && first !== undefined ? await accountBehind(app, first.id) : undefined;
  return {
    name,
    keys,
    user,
    linkedAccount: account === undefined ? undefined : `user:${account}`,
  };
}

interface Looked {
  user: User | undefined;
  endUsers: EndUser[];
  visitorIds: string[];
}

async function look(app: App, organizationId: number, named: NamedPerson): Promise<Looked> {
  const found: Looked = { user: undefined, endUsers: [], visitorIds: [] };
  if ('email' in named) {
    const user = await findUserByEmail(app, named.email);
    if (user?.organizationId === organizationId) {
      found.user = await findUserOf(app, organizationId, user.id);
    }
    found.endUsers = await findEndUsersByEmail(app, organizationId, emailKey(named.email));
  } else if (named.kind === 'conversation') {
    const reach = { organizationId, userId: 'anyone' } as const;
    const held = await findConversation(app, reach, named.id);
    const { userId = null, endUserId = null, visitorId = null } = held ?? {};
    if (userId !== null) found.user = await findUserOf(app, organizationId, userId);
    if (endUserId !== null) found.endUsers = await findEndUsersOf(app, organizationId, [endUserId]);
    if (visitorId !== null) found.visitorIds = [visitorId];
  } else if (named.kind === 'visitor') found.visitorIds = [named.id];
  else if (/^\d{1,15}$/.test(named.id)) {
    const id = Number(named.id);
    if (named.kind === 'user') found.user = await findUserOf(app, organizationId, id);
    else {
      const endUser = await findEndUserOf(app, organizationId, id);
      found.endUsers = endUser === undefined ? [] : [endUser];
    }
  }
  return found;
}

function unknown(named: NamedPerson): AppError {
  const name = 'email' in named ? named.email : `${named.kind}:${named.id}`;
  return new AppError('not_found', `Nothing is stored here under ${name}.`);
}
