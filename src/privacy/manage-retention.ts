import { recordChange } from '../audit/record-change.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { inTransaction } from '../platform/db/in-transaction.js';
import {
  retentionKinds,
  type OrganizationRetention,
  type Retention,
  type RetentionChange,
} from './retention.js';
import { findOwnDays, storeOwnDays } from './retention.repository.js';

/** The retention of the caller's organization, for its admins. */
export async function getRetention(app: App, actor: Actor): Promise<OrganizationRetention> {
  const { organizationId } = requirePermission(actor, 'administer');
  return retentionOf(app, organizationId);
}

/** Changes the retention of the caller's organization, for its admins. The worker then deletes what is too old. */
export async function setRetention(
  app: App,
  actor: Actor,
  change: RetentionChange,
): Promise<OrganizationRetention> {
  const { organizationId } = requirePermission(actor, 'administer');
  return inTransaction(app, async (app) => {
    const before = await retentionOf(app, organizationId);
    for (const kind of retentionKinds) {
      const days = change[kind];
      if (days !== undefined) await storeOwnDays(app, organizationId, kind, days);
    }
    const after = await retentionOf(app, organizationId);
    if (JSON.stringify(before) === JSON.stringify(after)) return after;
    await recordChange(app, actor, {
      organizationId,
      action: 'organization.retention',
      subject: `organization:${organizationId}`,
      before: daysOf(before),
      after: daysOf(after),
    });
    return after;
  });
}

/** The effective retention of an organization. */
export async function retentionOf(
  app: Pick<App, 'db' | 'config'>,
  organizationId: number,
): Promise<OrganizationRetention> {
  const own = await findOwnDays(app, organizationId);
  const kept = retentionKinds.map((kind) => {
    const days = own[kind];
    const standard = app.config.privacy.retention[kind];
    return [kind, { days: days ?? standard, own: days !== undefined }];
  });
  return Object.fromEntries(kept) as OrganizationRetention;
}

function daysOf(retention: OrganizationRetention): Retention {
  const days = retentionKinds.map((kind) => [kind, retention[kind].days]);
  return Object.fromEntries(days) as Retention;
}
