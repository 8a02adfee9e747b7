import { getUser } from '../accounts/users/manage-users.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError, refusedField } from '../platform/errors.js';
import { isOriginOf } from '../tenancy/app-of-origin.js';
import { findApp, listApps } from '../tenancy/sites.repository.js';
import {
  type AccountLink,
  type DescribedLink,
  findAccountLink,
  listLinksOf,
} from './account-links.repository.js';
import { findEndUsersOf } from './end-users.repository.js';
import { findActiveKey } from './widget-keys.repository.js';

/** The links of the caller's own account; for a key, also the key's app. */
export interface ListedLinks extends Paged<DescribedLink> {
  app: { id: number; name: string } | undefined;
  /** Whether pages of the given origin may request a link with the key. */
  linkable: boolean | undefined;
}

/**
 * A page of the links of the caller's own account, in all apps or in a widget key's app. Errors: `forbidden` for the
 * operator, who has no account; `not_found` for a key as findOwnKey does; `invalid_request` for an origin without a
 * key.
 */
export async function listAccountLinks(
  app: App,
  actor: Actor,
  {
    widgetKey,
    origin,
    ...page
  }: Page & { widgetKey?: string | undefined; origin?: string | undefined },
): Promise<ListedLinks> {
  const person = requireAccount(actor);
  if (widgetKey === undefined && origin !== undefined) {
    const message = 'missing; say whose pages they should be of, as the page declares it';
    throw refusedField('widget_key', message);
  }
  const key = widgetKey === undefined ? undefined : await findOwnKey(app, person, widgetKey);
  const whose = { userId: person.userId, appId: key?.appId };
  const { items, total } = await listLinksOf(app, whose, page);
  const described = await describe(app, person.organizationId, items);
  if (key === undefined) return { items: described, total, app: undefined, linkable: undefined };
  const { appId } = key;
  const linkable = origin === undefined ? undefined : await isOriginOf(app, origin, appId);
  const name = (await findApp(app, appId))?.name ?? '';
  return { items: described, total, app: { id: appId, name }, linkable };
}

/** The links of an account of the admin's organization. Errors: `not_found` for a foreign user. */
export async function listLinksOfUser(
  app: App,
  actor: Actor,
  { userId, ...page }: Page & { userId: number },
): Promise<Paged<DescribedLink>> {
  const { organizationId } = await getUser(app, actor, userId);
  const { items, total } = await listLinksOf(app, { userId, appId: undefined }, page);
  return { items: await describe(app, organizationId, items), total };
}

/** One link of the caller's own account. Errors: `not_found` for any other. */
export async function getAccountLink(app: App, actor: Actor, id: number): Promise<DescribedLink> {
  const { organizationId, userId } = requireAccount(actor);
  const link = await findAccountLink(app, { id, user_id: userId });
  const [described] = link === undefined ? [] : await describe(app, organizationId, [link]);
  if (described !== undefined) return described;
  throw new AppError('not_found', `You have no account link ${id}.`);
}

/** The actor's own account. Refuses as requirePermission(actor, 'ask') does, and the operator with `forbidden`. */
export function requireAccount(actor: Actor): Extract<Actor, { kind: 'user' }> {
  const member = requirePermission(actor, 'ask');
  if (member.kind === 'user') return member;
  throw new AppError('forbidden', 'The operator has no account to link. Sign in as a user.');
}

/** A key of the caller's organization. Errors: `not_found` for an unknown, revoked or foreign key. */
export async function findOwnKey(
  app: App,
  { organizationId }: { organizationId: number },
  text: string,
) {
  const key = await findActiveKey(app, text);
  if (key?.organizationId === organizationId) return key;
  const sentence =
    'Your organization has no such widget key, or it was revoked. Ask the operator of the page.';
  throw new AppError('not_found', sentence);
}

async function describe(
  app: App,
  organizationId: number,
  links: AccountLink[],
): Promise<DescribedLink[]> {
  if (links.length === 0) return [];
  const apps = new Map((await listApps(app, organizationId)).map(({ id, name }) => [id, name]));
  const ids = links.map(({ endUserId }) => endUserId);
  const endUsers = await findEndUsersOf(app, organizationId, ids);
  const known = new Map(endUsers.map((endUser) => [endUser.id, endUser]));
  return links.map((link) => {
    const endUser = known.get(link.endUserId);
    return {
      ...link,
      appName: apps.get(link.appId) ?? '',
      externalId: endUser?.externalId ?? '',
      displayName: endUser?.displayName ?? null,
      email: endUser?.email ?? null,
    };
  });
}
