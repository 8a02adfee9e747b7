import { recordChange } from '../../audit/record-change.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import {
  findUserByEmail,
  findUserOf,
  insertUser,
  updateUserRow,
  type User,
} from '../users/accounts.repository.js';
import { presentUser } from '../users/accounts.schema.js';
import { isLastAdmin } from '../users/manage-users.js';
import { revokeSessionsOf } from '../users/refresh-tokens.repository.js';
import {
  findIdentity,
  hasOtherIdentity,
  insertIdentity,
  markIdentityUsed,
  type Identity,
  type IdentityKey,
} from '../providers/identities.repository.js';
import type { IdentityProvider } from '../providers/provider.js';
import type { VouchedPerson } from './read-person.js';

/**
 * Finds or creates the account of a person whom a provider has identified: first by identity, then by verified e-mail
 * address, else a new account. Runs inside a transaction. If the provider assigns roles, the account gets the mapped
 * role, but the last admin remains admin. Errors: `sign_in_refused`. When the provider's rules no longer admit the
 * person, that error is returned instead of thrown, so that ending their sessions is not rolled back.
 */
export async function admitPerson(
  app: App,
  provider: IdentityProvider,
  person: VouchedPerson,
): Promise<User | AppError> {
  const known = await findIdentity(app, keyOf(provider, person));
  const refusal = refusalBy(provider, person);
  if (refusal !== undefined) {
    if (known !== undefined) await revokeSessionsOf(app, known.userId);
    return refusal;
  }
  const user =
    known === undefined
      ? await bindAccount(app, provider, person)
      : await boundAccount(app, provider, known);
  return withRole(app, provider, person, user);
}

/** The error when the provider's rules for domain and role refuse the person, with or without an account. */
function refusalBy(provider: IdentityProvider, person: VouchedPerson): AppError | undefined {
  const { allowedDomains, label } = provider;
  const domain = person.emailVerified ? person.email?.split('@').at(-1)?.toLowerCase() : undefined;
  if (allowedDomains.length > 0 && (domain === undefined || !allowedDomains.includes(domain))) {
    return refused(`${label} names no verified e-mail address of a domain that may sign in here.`);
  }
  return provider.roleClaim !== null && person.role === undefined ? noRole(provider) : undefined;
}

async function boundAccount(
  app: App,
  { organizationId }: IdentityProvider,
  known: Identity,
): Promise<User> {
  await markIdentityUsed(app, known.id);
  const user = await findUserOf(app, organizationId, known.userId);
  if (user === undefined) throw refused('The account is of another organization.');
  return requireActive(user);
}

async function bindAccount(
  app: App,
  provider: IdentityProvider,
  person: VouchedPerson,
): Promise<User> {
  const { organizationId } = provider;
  const key = keyOf(provider, person);
  const email = requireVerified(provider, person);
  const found = await findUserByEmail(app, email);
  const { passwordHash: _, ...present } = found ?? { passwordHash: null };
  const user =
    found === undefined ? await addUser(app, provider, person, email) : (present as User);
  // The message is the same for an account of another organization: nobody may learn which accounts exist.
  if (user.organizationId !== organizationId) throw taken(email);
  requireActive(user);
  // An e-mail address may pass to another person. A subject never does.
  if (await hasOtherIdentity(app, user.id, key)) {
    const hint = 'if it is the same person: assistant users unlink-identity';
    app.log.warn(
      { user: user.id, provider: provider.name },
      `the account belongs to another person of an identity provider; ${hint}`,
    );
    throw taken(email);
  }
  await insertIdentity(app, user.id, key);
  await recordChange(app, actorOf(user), {
    organizationId,
    action: 'identity.link',
    subject: `user:${user.id}`,
    after: { provider: provider.name, email },
  });
  return user;
}

async function addUser(
  app: App,
  provider: IdentityProvider,
  person: VouchedPerson,
  email: string,
): Promise<User> {
  const { role } = person;
  if (role === undefined) throw noRole(provider);
  const { organizationId } = provider;
  const user = await insertUser(app, {
    organizationId,
    email,
    role,
    disabled: false,
    passwordHash: null,
    displayName: person.displayName ?? email.split('@')[0] ?? email,
  });
  await recordChange(app, actorOf(user), {
    organizationId,
    action: 'user.create',
    subject: `user:${user.id}`,
    after: { ...presentUser(user), provider: provider.name },
  });
  return user;
}

/** A provider that assigns roles sets the role at each sign-in. */
async function withRole(
  app: App,
  provider: IdentityProvider,
  { role }: VouchedPerson,
  user: User,
): Promise<User> {
  if (provider.roleClaim === null || role === undefined || role === user.role) return user;
  if (await isLastAdmin(app, user)) {
    const told = { user: user.id, provider: provider.name, role };
    app.log.warn(
      told,
      'the last active admin keeps the role, although the provider gives another one',
    );
    return user;
  }
  await updateUserRow(app, user.id, { role });
  const after = { ...user, role };
  await recordChange(app, actorOf(user), {
    organizationId: provider.organizationId,
    action: 'user.update',
    subject: `user:${user.id}`,
    before: presentUser(user),
    after: { ...presentUser(after), provider: provider.name },
  });
  return after;
}

/** Uses the issuer as configured: in tokens it may end with a slash, or contain a tenant's id in place of its name. */
function keyOf({ id, issuer }: IdentityProvider, { subject }: VouchedPerson): IdentityKey {
  return { providerId: id, issuer, subject };
}

function requireVerified({ label }: IdentityProvider, person: VouchedPerson): string {
  if (person.email !== undefined && person.emailVerified) return person.email;
  throw refused(
    `${label} names no verified e-mail address of this person. An admin of the provider must correct that.`,
  );
}

function noRole({ label }: IdentityProvider): AppError {
  return refused(`${label} gives this person no role here. Ask an admin for one.`);
}

function requireActive(user: User): User {
  if (user.disabled) throw refused('This account is disabled. Ask an admin.');
  return user;
}

function taken(email: string): AppError {
  return refused(`${email} can't be used to sign in here: it belongs to another account.`);
}

function refused(sentence: string): AppError {
  return new AppError('sign_in_refused', sentence);
}

function actorOf({ id, organizationId, role }: User): Actor {
  return { kind: 'user', organizationId, userId: id, role };
}
