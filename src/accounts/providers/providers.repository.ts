import type { Store } from '../../platform/app.js';
import { timestamp } from '../../platform/clock.js';
import { insertRow } from '../../platform/db/record.js';
import { selectPage, type Page, type Paged } from '../../platform/db/select-page.js';
import { providers, type IdentityProvider, type ProviderFields } from './provider.js';

interface ProviderRow {
  id: number;
  organization_id: number;
  name: string;
  client_secret: string | null;
  disabled: number | boolean;
}

export async function insertProvider(
  app: Store,
  organizationId: number,
  fields: ProviderFields,
  sealedSecret: string | null,
): Promise<number> {
  const now = timestamp(app.clock);
  return insertRow(app.db.write, 'identity_providers', {
    ...toRow(fields),
    organization_id: organizationId,
    client_secret: sealedSecret,
    created_at: now,
    updated_at: now,
  });
}

/** `sealedSecret`: undefined keeps the present secret. */
export async function updateProviderRow(
  app: Store,
  id: number,
  fields: ProviderFields,
  sealedSecret: string | null | undefined,
): Promise<void> {
  await app.db
    .write('identity_providers')
    .where({ id })
    .update({
      ...toRow(fields),
      ...(sealedSecret === undefined ? {} : { client_secret: sealedSecret }),
      updated_at: timestamp(app.clock),
    });
}

export async function findProvider(
  app: Store,
  by: { id: number; organizationId?: number },
): Promise<IdentityProvider | undefined> {
  const query = app.db.read<ProviderRow>('identity_providers').where({ id: by.id });
  if (by.organizationId !== undefined) void query.where({ organization_id: by.organizationId });
  const row = await query.first();
  return row === undefined ? undefined : toProvider(row);
}

export async function findProviderNamed(
  app: Store,
  organizationId: number,
  name: string,
): Promise<IdentityProvider | undefined> {
  const row = await app.db
    .read<ProviderRow>('identity_providers')
    .where({ organization_id: organizationId, name })
    .first();
  return row === undefined ? undefined : toProvider(row);
}

/** The stored secret: encrypted; null for a public client. */
export async function findSealedSecret(app: Store, id: number): Promise<string | null> {
  const row = await app.db
    .read<ProviderRow>('identity_providers')
    .where({ id })
    .first('client_secret');
  return row?.client_secret ?? null;
}

export async function pageOfProviders(
  app: Store,
  organizationId: number,
  page: Page,
): Promise<Paged<IdentityProvider>> {
  const query = app.db.read('identity_providers').where({ organization_id: organizationId });
  return selectPage<ProviderRow, IdentityProvider>(query, [{ column: 'id' }], page, toProvider);
}

/** The providers by which people can sign in now. */
export async function listEnabledProviders(
  app: Store,
  organizationId: number,
): Promise<IdentityProvider[]> {
  const rows = await app.db
    .read<ProviderRow>('identity_providers')
    .where({ organization_id: organizationId, disabled: false })
    .orderBy('id')
    .select('*');
  return rows.map(toProvider);
}

/** Deletes the provider with its sessions and identities. */
export async function deleteProviderRow(app: Store, id: number): Promise<void> {
  await app.db.write('identity_providers').where({ id }).delete();
}

/** True when the organization's people may sign in by password, which is the default. */
export async function isPasswordSignInOn(app: Store, organizationId: number): Promise<boolean> {
  const row = await app.db
    .read<{ organization_id: number; password_sign_in: number | boolean }>('sign_in_rules')
    .where({ organization_id: organizationId })
    .first('password_sign_in');
  return row === undefined || Boolean(row.password_sign_in);
}

export async function storePasswordSignIn(
  app: Store,
  organizationId: number,
  on: boolean,
): Promise<void> {
  await app.db
    .write('sign_in_rules')
    .insert({ organization_id: organizationId, password_sign_in: on })
    .onConflict('organization_id')
    .merge();
}

function toRow(fields: ProviderFields) {
  return providers.changes({ ...fields, scopes: fields.scopes.join(' ') });
}

function toProvider(row: ProviderRow): IdentityProvider {
  const provider = providers.read(row);
  const hasSecret = row.client_secret !== null;
  return { ...provider, scopes: provider.scopes.split(' '), hasSecret };
}
