import { recorderOf } from '../audit/record-change.js';
import { requirePermission, type Actor, type WidgetKeyKind } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { timestamp } from '../platform/clock.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { allOf, type Page, type Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { findNamed, type Wanted } from '../platform/find-named.js';
import { getApp } from '../tenancy/manage-apps.js';
import { requiredText } from '../platform/validate.js';
import { presentKey } from './federation.schema.js';
import { hashSecret } from '../platform/random-secret.js';
import { makeKey, makeSecret, type WidgetKey } from './widget-key.js';
import {
  findWidgetKey,
  insertWidgetKey,
  listWidgetKeysOf,
  widgetKeys,
} from './widget-keys.repository.js';
import { expireSecret, insertSecret, revokeSecrets } from './widget-secrets.repository.js';

const record = recorderOf('widget_key', presentKey);

/** A key with a secret that is shown only once, because only its hash is stored. */
export interface KeyWithSecret {
  key: WidgetKey;
  secret: string;
}

/** A page of the organization's keys, including revoked ones. Errors: `not_found` for another organization's app. */
export async function listWidgetKeys(
  app: App,
  actor: Actor,
  query: Page & { appId?: number | undefined },
): Promise<Paged<WidgetKey>> {
  const { organizationId } = requirePermission(actor, 'administer');
  if (query.appId !== undefined) await getApp(app, actor, query.appId);
  return listWidgetKeysOf(app, organizationId, query);
}

/** A key of the organization, revoked or not. Errors: `not_found` for any other. */
export async function getWidgetKey(app: App, actor: Actor, id: number): Promise<WidgetKey> {
  const { organizationId } = requirePermission(actor, 'administer');
  const found = await findWidgetKey(app, organizationId, id);
  if (found !== undefined) return found;
  throw new AppError('not_found', `There is no widget key ${id} in this organization.`);
}

/** Finds a key by its number, its text or, unless revoked, its name. Errors: those of findNamed. */
export async function getKeyNamed(
  app: App,
  actor: Actor,
  name: string,
  { whole }: Wanted = {},
): Promise<WidgetKey> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { items: among } = await listWidgetKeysOf(app, organizationId, allOf);
  const namesOf = (one: WidgetKey) => ({
    id: one.id,
    key: one.key,
    names: one.revokedAt === null ? [one.name] : [],
  });
  return findNamed(name, { thing: 'widget key', among, namesOf, whole });
}

/** Creates a key of an app, with its first secret. Errors: `not_found` for an app of another organization. */
export async function createWidgetKey(
  app: App,
  actor: Actor,
  input: { appId: number; kind: WidgetKeyKind; name: string },
): Promise<KeyWithSecret> {
  const { organizationId } = requirePermission(actor, 'administer');
  const name = requiredText('name', input.name);
  return inTransaction(app, async (app) => {
    const { id: appId } = await getApp(app, actor, input.appId);
    const fields = { organizationId, appId, key: makeKey(), kind: input.kind, name };
    const id = await insertWidgetKey(app, fields);
    const secret = makeSecret();
    await insertSecret(app, id, hashSecret(secret));
    const key = await getWidgetKey(app, actor, id);
    await record(app, actor, 'create', { after: key });
    return { key, secret };
  });
}

/** Renames a key. Errors: `not_found`. */
export async function renameWidgetKey(
  app: App,
  actor: Actor,
  id: number,
  input: { name?: string | undefined },
): Promise<WidgetKey> {
  return inTransaction(app, async (app) => {
    const before = await getWidgetKey(app, actor, id);
    const name = input.name === undefined ? before.name : requiredText('name', input.name);
    if (name === before.name) return before;
    await widgetKeys.change(app, id, { name });
    const after = await getWidgetKey(app, actor, id);
    await record(app, actor, 'update', { before, after });
    return after;
  });
}

/** Revokes a key with its secrets and user tokens, immediately and for good. Revoking it again changes nothing. */
export async function revokeWidgetKey(app: App, actor: Actor, id: number): Promise<void> {
  await inTransaction(app, async (app) => {
    const before = await getWidgetKey(app, actor, id);
    if (before.revokedAt !== null) return;
    await widgetKeys.change(app, id, { revokedAt: timestamp(app.clock) });
    const after = await getWidgetKey(app, actor, id);
    await record(app, actor, 'revoke', { before, after });
  });
}

/**
 * Creates another secret for a key. The previous secret stays valid for `overlapSeconds`, so that the host's servers
 * can change over. An older one ends at once, because at most two are valid. Errors: `not_found`; `conflict` for a
 * revoked key.
 */
export async function rotateSecret(
  app: App,
  actor: Actor,
  id: number,
  { overlapSeconds }: { overlapSeconds: number },
): Promise<KeyWithSecret> {
  return inTransaction(app, async (app) => {
    const before = await getWidgetKey(app, actor, id);
    if (before.revokedAt !== null) {
      throw new AppError('conflict', 'The key was revoked: create another one.', {
        reason: { is: 'key_revoked' },
      });
    }
    const [newest, ...older] = before.secrets;
    await revokeSecrets(
      app,
      older.map((secret) => secret.id),
    );
    const end = timestamp(app.clock, overlapSeconds * 1000);
    if (newest !== undefined) await expireSecret(app, newest.id, end);
    const secret = makeSecret();
    await insertSecret(app, id, hashSecret(secret));
    const key = await getWidgetKey(app, actor, id);
    await record(app, actor, 'rotate_secret', { before, after: key });
    return { key, secret };
  });
}
