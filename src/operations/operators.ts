import { may, requirePermission, type Actor, type Member } from '../platform/actor.js';
import type { Store } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { listOrganizations } from '../tenancy/sites.repository.js';

/** True for those who look after the whole installation: the admins of its first organization, the operator's own. */
export async function isOperator(app: Store, actor: Actor): Promise<boolean> {
  if (!may(actor, 'administer') || !('organizationId' in actor)) return false;
  const [first] = await listOrganizations(app);
  return actor.organizationId === first?.id;
}

/** Errors: `forbidden` for everybody who does not look after the whole installation. */
export async function requireOperator(app: Store, actor: Actor): Promise<Member> {
  const member = requirePermission(actor, 'administer');
  if (await isOperator(app, actor)) return member;
  throw new AppError(
    'forbidden',
    'This concerns the whole installation. Ask an admin of its first organization.',
    { reason: { is: 'not_operator' } },
  );
}
