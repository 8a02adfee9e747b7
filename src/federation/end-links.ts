import { recordChange } from '../audit/record-change.js';
import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import { AppError } from '../platform/errors.js';
import { findApp } from '../tenancy/sites.repository.js';
import type { AccountLink } from './account-link.js';
import { deleteAccountLink, findAccountLink, findLinksOf } from './account-links.repository.js';
import { recordedLink } from './account-links.schema.js';
import { findEndUserOf } from './end-users.repository.js';
import { requireAccount } from './read-links.js';

/** Ends one link of one's own account: each side has its own from then on. Refuses with `not_found` any other. */
export async function endAccountLink(app: App, actor: Actor, id: number): Promise<void> {
  const { userId } = requireAccount(actor);
  await inTransaction(app, async (app) => {
    const link = await findAccountLink(app, { id, user_id: userId });
    if (link === undefined) throw new AppError('not_found', `You have no account link ${id}.`);
    await end(app, actor, link);
  });
}

/** Ends all links of one's own account, or that in one app. Refuses with `not_found` an app of another organization. */
export async function endAccountLinks(
  app: App,
  actor: Actor,
  { appId }: { appId?: number | undefined },
): Promise<void> {
  const { organizationId, userId } = requireAccount(actor);
  await inTransaction(app, async (app) => {
    if (appId !== undefined && (await findApp(app, appId))?.organizationId !== organizationId) {
      throw new AppError('not_found', `There is no app ${appId} in this organization.`);
    }
    for (const link of await findLinksOf(app, { userId, appId })) await end(app, actor, link);
  });
}

async function end(app: App, actor: Actor, link: AccountLink): Promise<void> {
  const { id, organizationId, endUserId } = link;
  const externalId = (await findEndUserOf(app, organizationId, endUserId))?.externalId ?? '';
  await deleteAccountLink(app, id);
  await recordChange(app, actor, {
    organizationId,
    action: 'account_link.delete',
    subject: `account_link:${id}`,
    before: recordedLink({ ...link, externalId }),
  });
}
