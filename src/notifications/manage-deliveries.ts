import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { AppError } from '../platform/errors.js';
import { findDelivery, listDeliveriesOf, resetDelivery } from './deliveries.repository.js';
import type { Delivery, DeliveryChannel, DeliveryStatus } from './notification.js';
import { presentDelivery } from './notifications.schema.js';

/** A page of what the organization has sent, is sending, and could not send (`dead`), newest first. */
export async function listDeliveries(
  app: App,
  actor: Actor,
  input: Page & { status?: DeliveryStatus | undefined; channel?: DeliveryChannel | undefined },
): Promise<Paged<Delivery>> {
  const { organizationId } = requirePermission(actor, 'administer');
  const { status, channel } = input;
  return listDeliveriesOf(app, organizationId, { ...input, status, channel });
}

/** Sends a delivery again, now. Refuses with `not_found`, and with `conflict` one that has arrived. */
export async function retryDelivery(app: App, actor: Actor, id: number): Promise<Delivery> {
  const { organizationId } = requirePermission(actor, 'administer');
  const retried = await inTransaction(app, async (app) => {
    const before = await findDelivery(app, organizationId, id);
    if (before === undefined) throw new AppError('not_found', `There is no delivery ${id}.`);
    if (before.status === 'delivered') {
      throw new AppError(
        'conflict',
        'It has been delivered: sending it again would tell it twice.',
      );
    }
    await resetDelivery(app, id);
    const after = (await findDelivery(app, organizationId, id)) ?? before;
    await recordChange(app, actor, {
      organizationId,
      action: 'delivery.retry',
      subject: `delivery:${id}`,
      before: presentDelivery(before),
      after: presentDelivery(after),
    });
    return after;
  });
  app.jobs.wake();
  return retried;
}
