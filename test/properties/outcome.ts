import type { Role } from '../../src/platform/actor.js';
import type { Access, Operation } from '../../src/platform/http/operation.js';
import type { BuiltRequest } from './build-request.js';
import type { Identity } from './callers.js';

const everybody: Role[] = ['user', 'backoffice', 'admin'];
const staff: Role[] = ['backoffice', 'admin'];

/** The roles that have each right, stated independently of the product. */
const holders: Partial<Record<Access, Role[]>> = {
  ask: everybody,
  'knowledge.read': everybody,
  'knowledge.write': staff,
  'conversations.read_all': staff,
  'requests.resolve': staff,
  administer: ['admin'],
};

/** The right that a request needs: that of the operation, or a higher one for a restricted filter. */
export function accessFor(
  { path, access }: Operation,
  { query, problems }: Pick<BuiltRequest, 'query' | 'problems'>,
): Access {
  const byWords = path === '/api/conversations' && query['q'] !== undefined;
  // An invalid field is reported before a missing right.
  return byWords && problems.length === 0 ? 'conversations.read_all' : access;
}

/** Whether an operation allows a credential, for any request. */
export function outcomeOf(access: Access, identity: Identity): 'allowed' | 401 | 403 {
  if (access === 'anyone' || access === 'host_backend') return 'allowed';
  if (identity.kind === 'invalid') return 401;
  if (access === 'optional') return 'allowed';
  // A request of a page, which needs a widget credential.
  if (access === 'widget') {
    return identity.kind === 'key' || identity.kind === 'end_user' ? 'allowed' : 401;
  }
  const roles = holders[access];
  if (roles === undefined) throw new Error(`Say in outcome.ts who has the right ${access}.`);
  if (identity.kind === 'nobody') return 401;
  // A user token of a host is not an access token, so the answer is 401 and not 403.
  if (identity.kind === 'end_user') return 401;
  return identity.kind === 'person' && roles.includes(identity.role) ? 'allowed' : 403;
}
