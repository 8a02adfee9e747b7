import { listUsersPage } from '../accounts/users/manage-users.js';
import { hasAnswered } from '../conversations/store/conversations.repository.js';
import { listSightings } from '../federation/key-sightings.js';
import { listWidgetKeys } from '../federation/manage-widget-keys.js';
import { countBatches } from '../ingestion/batches/batch-lists.repository.js';
import { hasReviewedDraft } from '../knowledge/entry-lists.repository.js';
import { listWebhooks } from '../notifications/manage-webhooks.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { dayMs, timestamp } from '../platform/clock.js';
import { listDomainChoices } from '../tenancy/app-choices.js';
import { hasTried } from '../usage/usage.repository.js';
import { findLastBackup } from './backup/list-backups.js';
import { isOperator } from './operators.js';

const setupSteps = [
  'domain',
  'document',
  'review',
  'answer',
  'key',
  'seen',
  'person',
  'messages',
  'backup',
] as const;

export interface SetupStep {
  name: (typeof setupSteps)[number];
  done: boolean;
}

const week = 7 * dayMs;
const first = { page: 1, limit: 1 };

/**
 * The steps of a new installation, in their order. Whether one is done is computed from what exists. The backup is left
 * out for organizations besides the first: it is the operator's.
 */
export async function listSetupSteps(app: App, actor: Actor): Promise<SetupStep[]> {
  const { organizationId } = requirePermission(actor, 'administer');
  const isOfInstallation = await isOperator(app, actor);
  const checks: Record<SetupStep['name'], () => Promise<boolean>> = {
    // Pages on localhost show the widget only where the configuration allows it.
    domain: async () =>
      (await listDomainChoices(app, actor)).some(
        (host) => host !== 'localhost' || app.config.widget.allow_localhost,
      ),
    document: async () => (await countBatches(app, organizationId, { status: 'completed' }, 1)) > 0,
    review: () => hasReviewedDraft(app, organizationId),
    answer: async () =>
      (await hasAnswered(app, organizationId)) || (await hasTried(app, organizationId)),
    async key() {
      const { items } = await listWidgetKeys(app, actor, { page: 1, limit: 100 });
      return items.some(({ revokedAt }) => revokedAt === null);
    },
    seen: async () => (await listSightings(app, actor)).length > 0,
    person: async () => (await listUsersPage(app, actor, first)).total > 1,
    messages: async () =>
      app.config.mail.host !== '' || (await listWebhooks(app, actor, first)).total > 0,
    async backup() {
      // A folder that can't be read has no backup for anybody.
      const last = await findLastBackup(app.config).catch(() => undefined);
      return last !== undefined && last.createdAt > timestamp(app.clock, -week);
    },
  };
  const shown = setupSteps.filter((name) => name !== 'backup' || isOfInstallation);
  return Promise.all(shown.map(async (name) => ({ name, done: await checks[name]() })));
}
