import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { listApps } from '../tenancy/sites.repository.js';
import type { AccountLink, DescribedLink } from './account-link.js';
import { findAccountLink, listLinksOf } from './account-links.repository.js';
import { findEndUsersOf } from './end-users.repository.js';
import { findActiveKey } from './widget-keys.repository.js';

/**
 * A page of the links of one's own account, of all apps or of that of a widget key. Refuses with `forbidden` the
 * operator, who has no account, and with `not_found` a key as findOwnKey does.
 */
export async function listAccountLinks(
  app: App,
  actor: Actor,
  { widgetKey, ...page }: Page & { widgetKey?: string | undefined },
): Promise<Paged<DescribedLink>> {
  const person = requireAccount(actor);
  const key = widgetKey === undefined ? undefined : await findOwnKey(app, person, widgetKey);
  const whose = { userId: person.userId, appId: key?.appId };
  const { items, total } = await listLinksOf(app, whose, page);
  return { items: await describe(app, person.organizationId, items), total };
}

/** One link of one's own account. Refuses with `not_found` any other. */
export async function getAccountLink(app: App, actor: Actor, id: number): Promise<DescribedLink> {
  const { organizationId, userId } = requireAccount(actor);
  const link = await findAccountLink(app, { id, user_id: userId });
  const [described] = link === undefined ? [] : await describe(app, organizationId, [link]);
  if (described !== undefined) return described;
  throw new AppError('not_found', `You have no account link ${id}.`);
}

/** Whoever has an account: refuses as requirePermission(actor, 'ask') does, and the operator with `forbidden`. */
export function requireAccount(actor: Actor): Extract<Actor, { kind: 'user' }> {
  const member = requirePermission(actor, 'ask');
  if (member.kind === 'user') return member;
  throw new AppError('forbidden', 'The operator has no account to link. Sign in as a user.');
}

/** A key of one's own organization. Refuses with `not_found` one that is unknown, revoked or of another. */
export async function findOwnKey(
  app: App,
  { organizationId }: { organizationId: number },
  text: string,
) {
  const key = await findActiveKey(app, text);
  if (key?.organizationId === organizationId) return key;
  const sentence =
    'Your organization has no such widget key, or it was revoked. Ask whoever runs the page.';
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
