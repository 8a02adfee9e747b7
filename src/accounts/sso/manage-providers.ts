import { recordChange, recorderOf } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction, unlessTaken } from '../../platform/db/in-transaction.js';
import { allOf, type Page, type Paged } from '../../platform/db/select-page.js';
import { AppError, refusedField } from '../../platform/errors.js';
import { findNamed, type Wanted } from '../../platform/find-named.js';
import { revokePasswordSessions, revokeSessionsBy } from '../users/refresh-tokens.repository.js';
import { checkProvider } from './check-fields.js';
import { hasAdminByProvider } from '../providers/identities.repository.js';
import {
  secretPurpose,
  type IdentityProvider,
  type NewProvider,
  type ProviderChange,
  type ProviderFields,
} from '../providers/provider.js';
import { presentProvider } from './providers.schema.js';
import {
  deleteProviderRow,
  findProvider,
  insertProvider,
  isPasswordSignInOn,
  listEnabledProviders,
  pageOfProviders,
  storePasswordSignIn,
  updateProviderRow,
} from '../providers/providers.repository.js';

const recordProvider = recorderOf('identity_provider', presentProvider);

const defaults = {
  scopes: ['openid', 'email', 'profile'],
  allowedDomains: [],
  roleClaim: null,
  roleMapping: [],
  defaultRole: null,
  trustsEmail: false,
  disabled: false,
} satisfies Partial<ProviderFields>;

export async function listProviders(
  app: App,
  actor: Actor,
  page: Page,
): Promise<Paged<IdentityProvider>> {
  const { organizationId } = requirePermission(actor, 'administer');
  return pageOfProviders(app, organizationId, page);
}

/** Errors: `not_found` for a provider that is not of the actor's organization. */
export async function getProvider(app: App, actor: Actor, id: number): Promise<IdentityProvider> {
  const { organizationId } = requirePermission(actor, 'administer');
  const found = await findProvider(app, { id, organizationId });
  if (found === undefined) throw new AppError('not_found', `There is no identity provider ${id}.`);
  return found;
}

/** Finds a provider by name, number, or the beginning of the name. Errors: those of findNamed. */
export async function getProviderNamed(
  app: App,
  actor: Actor,
  name: string,
  { whole }: Wanted = {},
): Promise<IdentityProvider> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { items: among } = await pageOfProviders(app, organizationId, allOf);
  const namesOf = (one: IdentityProvider) => ({ id: one.id, names: [one.name] });
  return findNamed(name, { thing: 'identity provider', among, namesOf, whole });
}

/** Adds a provider. Errors: `invalid_request`; `conflict` when the name is taken. */
export async function createProvider(
  app: App,
  actor: Actor,
  { clientSecret, ...given }: NewProvider,
): Promise<IdentityProvider> {
  const { organizationId } = requirePermission(actor, 'administer');
  const fields = checkProvider(app, {
    ...defaults,
    label: given.name,
    ...(withoutUndefined(given) as Omit<ProviderFields, 'label'>),
  });
  const sealed =
    clientSecret === undefined
      ? null
      : await app.secrets.seal(clientSecret, secretPurpose({ organizationId }));
  return inTransaction(app, async (app) => {
    const id = await unlessTaken(app, taken(fields.name), () =>
      insertProvider(app, organizationId, fields, sealed),
    );
    const made = await getProvider(app, actor, id);
    await recordProvider(app, actor, 'create', { after: made });
    return made;
  });
}

/**
 * Changes the given fields. Errors: `not_found`; `invalid_request`; `conflict` when the name is taken or people would
 * have no way to sign in. A new issuer needs the client secret again, because the secret would be sent to it. Disabling
 * the provider, or changing its issuer or client id, ends the sessions that it opened.
 */
export async function updateProvider(
  app: App,
  actor: Actor,
  id: number,
  { clientSecret, ...given }: ProviderChange,
): Promise<IdentityProvider> {
  const { organizationId } = requirePermission(actor, 'administer');
  const sealed =
    typeof clientSecret === 'string'
      ? await app.secrets.seal(clientSecret, secretPurpose({ organizationId }))
      : clientSecret;
  return inTransaction(app, async (app) => {
    const before = await getProvider(app, actor, id);
    const fields = checkProvider(app, {
      ...before,
      ...(withoutUndefined(given) as Partial<ProviderFields>),
    });
    if (fields.issuer !== before.issuer && before.hasSecret && sealed === undefined) {
      const message = 'needed again with another issuer';
      throw refusedField('client_secret', message);
    }
    if (fields.disabled) await requireAnotherWay(app, before);
    await unlessTaken(app, taken(fields.name), () => updateProviderRow(app, id, fields, sealed));
    const isAnother = fields.issuer !== before.issuer || fields.clientId !== before.clientId;
    // These sessions end for good: enabling the provider again does not restore them.
    if (fields.disabled || isAnother) await revokeSessionsBy(app, id);
    const after = await getProvider(app, actor, id);
    await recordChange(app, actor, {
      organizationId,
      action: 'identity_provider.update',
      subject: `identity_provider:${id}`,
      before: presentProvider(before),
      after: { ...presentProvider(after), ...(sealed === undefined ? {} : { secret: 'changed' }) },
    });
    return after;
  });
}

/**
 * Deletes a provider with its sessions and identities; accounts stay. Errors: `not_found`; `conflict` when people would
 * have no way to sign in.
 */
export async function deleteProvider(app: App, actor: Actor, id: number): Promise<void> {
  await inTransaction(app, async (app) => {
    const provider = await getProvider(app, actor, id);
    await requireAnotherWay(app, provider);
    await deleteProviderRow(app, id);
    await recordProvider(app, actor, 'delete', { before: provider });
  });
}

export async function getPasswordSignIn(app: App, actor: Actor): Promise<boolean> {
  return isPasswordSignInOn(app, requirePermission(actor, 'administer').organizationId);
}

/**
 * Turns password sign-in on or off for the organization's people. Off ends the sessions that passwords opened. Refuses
 * with `conflict` to turn it off while no identity provider is enabled. Without `force`, also refuses until an active
 * admin has signed in by a provider: only a sign-in proves that its settings work.
 */
export async function setPasswordSignIn(
  app: App,
  actor: Actor,
  on: boolean,
  { force = false }: { force?: boolean } = {},
): Promise<boolean> {
  const { organizationId } = requirePermission(actor, 'administer');
  return inTransaction(app, async (app) => {
    const before = await isPasswordSignInOn(app, organizationId);
    if (!on && (await listEnabledProviders(app, organizationId)).length === 0) {
      const sentence = 'No identity provider is enabled: nobody could sign in. Add one first.';
      throw new AppError('conflict', sentence);
    }
    if (!on && !force && !(await hasAdminByProvider(app, organizationId))) {
      const sentence =
        'No active admin has signed in by an enabled identity provider yet: everybody might be locked out. Let one sign in by it first.';
      throw new AppError('conflict', sentence);
    }
    await storePasswordSignIn(app, organizationId, on);
    if (!on) await revokePasswordSessions(app, organizationId);
    await recordChange(app, actor, {
      organizationId,
      action: 'sign_in_rules.update',
      subject: `organization:${organizationId}`,
      before: { password_sign_in: before },
      after: { password_sign_in: on },
    });
    return on;
  });
}

async function requireAnotherWay(app: App, provider: IdentityProvider): Promise<void> {
  if (await isPasswordSignInOn(app, provider.organizationId)) return;
  const others = await listEnabledProviders(app, provider.organizationId);
  if (others.some(({ id }) => id !== provider.id)) return;
  const sentence = `Nobody could sign in without ${provider.name}. Switch passwords on first: assistant sso passwords on`;
  throw new AppError('conflict', sentence);
}

const taken = (name: string) => `There is an identity provider ${name} already.`;

function withoutUndefined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
