import { recordChange } from '../../audit/record-change.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { inTransaction } from '../../platform/db/in-transaction.js';
import { AppError } from '../../platform/errors.js';
import type { User } from '../users/accounts.repository.js';
import { getUser } from '../users/manage-users.js';
import { revokeSessionsOf } from '../users/refresh-tokens.repository.js';
import { deleteIdentitiesOf } from '../providers/identities.repository.js';

/**
 * Removes the identities of an account and ends all its sessions. The next sign-in by its e-mail address binds it
 * again. Errors: `not_found`; `conflict` when the account has no identity.
 */
export async function unlinkIdentity(app: App, actor: Actor, id: number): Promise<User> {
  const { organizationId } = requirePermission(actor, 'administer');
  return inTransaction(app, async (app) => {
    const user = await getUser(app, actor, id);
    const providers = await deleteIdentitiesOf(app, id);
    if (providers.length === 0) {
      const sentence = `${user.email} has never signed in by an identity provider.`;
      throw new AppError('conflict', sentence);
    }
    await revokeSessionsOf(app, id);
    await recordChange(app, actor, {
      organizationId,
      action: 'identity.unlink',
      subject: `user:${id}`,
      before: { providers },
    });
    return user;
  });
}
