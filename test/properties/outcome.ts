import type { Role } from '../../src/platform/actor.js';
import type { Access, Operation } from '../../src/platform/http/operation.js';
import type { BuiltRequest } from './build-request.js';
import type { Identity } from './callers.js';

const everybody: Role[] = ['user', 'backoffice', 'admin'];
const staff: Role[] = ['backoffice', 'admin'];

/** Which roles have which right, written down a second time. */
const holders: Partial<Record<Access, Role[]>> = {
  ask: everybody,
  'knowledge.read': everybody,
  'knowledge.write': staff,
  'conversations.read_all': staff,
  'requests.resolve': staff,
  administer: ['admin'],
};

/** The right that a request needs: the operation's own, or more for a filter that is not for everybody. */
export function accessFor(
  { path, access }: Operation,
  { query, problems }: Pick<BuiltRequest, 'query' | 'problems'>,
): Access {
  const byWords = path === '/api/conversations' && query['q'] !== undefined;
  // What is wrong with a field is told before.
  return byWords && problems.length === 0 ? 'conversations.read_all' : access;
}

/** What a credential gets at an operation's door, whatever it asks for there. */
export function outcomeOf(access: Access, identity: Identity): 'allowed' | 401 | 403 {
  if (access === 'anyone' || access === 'host_backend') return 'allowed';
  if (identity.kind === 'invalid') return 401;
  if (access === 'optional') return 'allowed';
  // Of a page, which no access token is for.
  if (access === 'widget') {
    return identity.kind === 'key' || identity.kind === 'end_user' ? 'allowed' : 401;
  }
  const roles = holders[access];
  if (roles === undefined) throw new Error(`Say in outcome.ts who has the right ${access}.`);
  if (identity.kind === 'nobody') return 401;
  // A token that a host vouches with is no access token: it is not one that lacks a right.
  if (identity.kind === 'end_user') return 401;
  return identity.kind === 'person' && roles.includes(identity.role) ? 'allowed' : 403;
}
