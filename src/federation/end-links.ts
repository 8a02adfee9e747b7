import { getUser } from '../accounts/users/manage-users.js';
import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { findApp } from '../tenancy/sites.repository.js';
import {
  type AccountLink,
  links,
  findAccountLink,
  findLinksOf,
  type LinksOf,
} from './account-links.repository.js';
import { recordedLink } from './federation.schema.js';
import { endUsers } from './end-users.repository.js';
import { requireAccount } from './read-links.js';

/** Ends a link of the caller's own account, which separates both sides. Errors: `not_found` for any other link. */
export async function endAccountLink(app: App, actor: Actor, id: number): Promise<void> {
  const { userId } = requireAccount(actor);
  await inTransaction(app, async (app) => {
    const link = await findAccountLink(app, { id, user_id: userId });
    if (link === undefined) throw new AppError('not_found', `You have no account link ${id}.`);
    await end(app, actor, link);
  });
}

/** Ends all links of the caller's account, or the one in an app. Errors: `not_found` for another organization's app. */
export async function endAccountLinks(
  app: App,
  actor: Actor,
  { appId }: { appId?: number | undefined },
): Promise<void> {
  const { organizationId, userId } = requireAccount(actor);
  await inTransaction(app, (app) => endAll(app, actor, { organizationId, userId, appId }));
}

/**
 * Ends all links of an account, or the one in an app, for the organization's admin. While a link exists, nobody else
 * can link its identity, even if the account is disabled. Returns the number of ended links. Errors: `not_found` for a
 * user or app of another organization.
 */
export async function endLinksOfUser(
  app: App,
  actor: Actor,
  { userId, appId }: { userId: number; appId?: number | undefined },
): Promise<number> {
  const { organizationId } = requirePermission(actor, 'administer');
  return inTransaction(app, async (app) => {
    await getUser(app, actor, userId);
    return endAll(app, actor, { organizationId, userId, appId });
  });
}

async function endAll(
  app: App,
  actor: Actor,
  { organizationId, userId, appId }: LinksOf & { organizationId: number },
): Promise<number> {
  if (appId !== undefined && (await findApp(app, appId))?.organizationId !== organizationId) {
    throw new AppError('not_found', `There is no app ${appId} in this organization.`);
  }
  const links = await findLinksOf(app, { userId, appId });
  for (const link of links) await end(app, actor, link);
  return links.length;
}

async function end(app: App, actor: Actor, link: AccountLink): Promise<void> {
  const { id, organizationId, endUserId } = link;
  const externalId =
    (await endUsers.find(app, { organizationId, id: endUserId }))?.externalId ?? '';
  await links.delete(app, id);
  await recordChange(app, actor, {
    organizationId,
    action: 'account_link.delete',
    subject: `account_link:${id}`,
    before: recordedLink({ ...link, externalId }),
  });
}
