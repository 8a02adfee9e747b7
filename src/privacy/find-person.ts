import {
  emailKey,
  findUser,
  findUserByEmail,
  findUserOf,
  type User,
} from '../accounts/users/accounts.repository.js';
import {
  findConversation,
  findUnheldConversations,
} from '../conversations/store/conversations.repository.js';
import {
  endUsers,
  findEndUsersByEmail,
  findEndUsersOf,
  type EndUser,
} from '../federation/end-users.repository.js';
import { accountBehind, listIdentitiesOf } from '../federation/one-person.repository.js';
import { visitorsOfBrowser } from '../federation/visitor-tokens.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { messagesAskedBy } from '../usage/usage.repository.js';
import { personNames, type NamedPerson, type PersonKeys } from './person.js';
import { hasPersonalRows, readPersonalRows } from './personal-rows.repository.js';
import { requestsByAddress } from './personal-tables.js';

export interface FoundPerson {
  /** `user:7`: the named person, or the first one found by an address. */
  name: string;
  /** The name for the audit log, which is kept longer than an address or a browser's id may be. */
  subject: string;
  /** All persons that were found, in that form. */
  recorded: string[];
  /** All persons that were found: `user:7`, `end_user:12`, `visitor:<uuid>`, `conversation:<uuid>`. */
  found: string[];
  keys: PersonKeys;
  user: User | undefined;
  /** The linked account of a named end user: the same person, but not requested. */
  linkedAccount: string | undefined;
  /** The linked identities of an account, when they were not requested. */
  linkedIdentities: string[];
}

/**
 * Finds everything that leads to a person in an organization, for an admin. A user includes the identities linked with
 * the account. An end user means only the one of its app. An address means the user, the end users and the visitors
 * with it. A conversation means its owner, or itself without one. Errors: `not_found` for a name without any data.
 */
export async function findPerson(
  app: App,
  organizationId: number,
  named: NamedPerson,
): Promise<FoundPerson> {
  const { user, endUsers, ...looked } = await look(app, organizationId, named);
  const linked = user === undefined ? [] : await listIdentitiesOf(app, user.id);
  const identities = await findEndUsersOf(app, organizationId, linked);
  const endUserIds = new Set([...endUsers, ...identities].map(({ id }) => id));
  const keys: PersonKeys = {
    organizationId,
    endUserIds: [...endUserIds],
    emails: looked.emails,
    userIds: user === undefined ? looked.goneUserIds : [user.id],
    visitorIds: [...new Set(looked.visitorIds.flatMap(visitorsOfBrowser))],
    conversationIds: looked.conversationIds,
  };
  const isKnown = user !== undefined || endUserIds.size > 0;
  if (!isKnown && !(await hasPersonalRows(app, keys))) throw nothingUnder(named);
  const [first] = keys.endUserIds;
  const account =
    user === undefined && first !== undefined ? await accountBehind(app, first) : undefined;
  return {
    ...describe(keys, named),
    keys,
    user,
    linkedIdentities: [],
    linkedAccount: account === undefined ? undefined : `user:${account}`,
  };
}

/**
 * Finds a user's own data for the user: the account, and everything done after signing in to a widget with its
 * password. Excludes linked identities, because a stolen token may have made the link, and data found only by address,
 * because anybody can enter one.
 */
export async function findOneself(app: App, user: User): Promise<FoundPerson> {
  const { organizationId, id } = user;
  const all = await listIdentitiesOf(app, id);
  const identities = await findEndUsersOf(app, organizationId, all);
  const own = identities.filter(({ userId }) => userId === id);
  const linked = identities.filter(({ userId }) => userId !== id);
  const keys: PersonKeys = {
    organizationId,
    userIds: [id],
    endUserIds: own.map((one) => one.id),
    visitorIds: [],
    conversationIds: [],
    emails: [],
  };
  return {
    ...describe(keys, { kind: 'user', id: String(id) }),
    keys,
    user,
    linkedAccount: undefined,
    linkedIdentities: linked.map((one) => `end_user:${one.id}`),
  };
}

export function nothingUnder(named: NamedPerson): AppError {
  return new AppError('not_found', `Nothing is stored here under ${textOf(named)}.`, {
    reason: { is: 'nothing_stored' },
  });
}

function describe(
  keys: PersonKeys,
  named: NamedPerson,
): Pick<FoundPerson, 'name' | 'subject' | 'recorded' | 'found'> {
  const names = personNames(keys);
  const visitors = keys.visitorIds.map((id) => `visitor:${id}`);
  const conversations = keys.conversationIds.map((id) => `conversation:${id}`);
  const found = [...names, ...visitors, ...conversations];
  const recorded = [...names, ...visitors.map(() => 'visitor'), ...conversations];
  const [name = textOf(named)] = 'email' in named ? names : found;
  const unnamed = 'email' in named ? 'address' : visitors.length > 0 ? 'visitor' : name;
  return { name, found, recorded, subject: names[0] ?? unnamed };
}

interface Looked {
  user: User | undefined;
  goneUserIds: number[];
  endUsers: EndUser[];
  visitorIds: string[];
  conversationIds: string[];
  emails: string[];
}

async function look(app: App, organizationId: number, named: NamedPerson): Promise<Looked> {
  const found: Looked = {
    user: undefined,
    goneUserIds: [],
    endUsers: [],
    visitorIds: [],
    conversationIds: [],
    emails: [],
  };
  if ('email' in named) {
    found.emails = [...new Set([named.email, emailKey(named.email)])];
    const user = await findUserByEmail(app, named.email);
    if (user?.organizationId === organizationId) {
      found.user = await findUserOf(app, organizationId, user.id);
    }
    found.endUsers = await findEndUsersByEmail(app, organizationId, emailKey(named.email));
    found.visitorIds = await findVisitors(app, organizationId, found.emails);
  } else if (named.kind === 'conversation') {
    const reach = { organizationId, userId: 'anyone' } as const;
    const held = await findConversation(app, reach, named.id);
    const { userId = null, endUserId = null, visitorId = null } = held ?? {};
    if (userId !== null) found.user = await findUserOf(app, organizationId, userId);
    else if (endUserId !== null)
      found.endUsers = await findEndUsersOf(app, organizationId, [endUserId]);
    else if (visitorId !== null) found.visitorIds = [visitorId];
    else if (held !== undefined) found.conversationIds = [held.id];
  } else if (named.kind === 'visitor') found.visitorIds = [named.id];
  else if (/^\d{1,15}$/.test(named.id)) {
    const id = Number(named.id);
    if (named.kind === 'end_user') {
      const endUser = await endUsers.find(app, { organizationId, id });
      found.endUsers = endUser === undefined ? [] : [endUser];
    } else {
      found.user = await findUserOf(app, organizationId, id);
      // Ids are never reused, so a missing id in this organization's data means a deleted account of it.
      if ((await findUser(app, id)) === undefined) {
        found.goneUserIds = [id];
        // Its conversations have no owner any more, but its usage shows which were its own.
        const answers = messagesAskedBy(app, organizationId, id);
        found.conversationIds = await findUnheldConversations(app, organizationId, answers);
      }
    }
  }
  return found;
}

/** The visitors who left one of these addresses with a request. */
async function findVisitors(app: App, organizationId: number, emails: string[]): Promise<string[]> {
  const nobody = { userIds: [], endUserIds: [], visitorIds: [], conversationIds: [] };
  const ids: string[] = [];
  const keys = { ...nobody, organizationId, emails };
  for await (const rows of readPersonalRows(app, requestsByAddress, keys)) {
    for (const { requester_visitor_id: id } of rows) if (typeof id === 'string') ids.push(id);
  }
  return [...new Set(ids)];
}

function textOf(named: NamedPerson): string {
  return 'email' in named ? named.email : `${named.kind}:${named.id}`;
}
