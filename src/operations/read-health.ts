import { countBatches } from '../ingestion/batches/batch-lists.repository.js';
import { requirePermission, type Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import { listApps, listDomains, type SiteApp } from '../tenancy/sites.repository.js';
import { mostWork } from './count-work.js';
import { usesModels } from './examine-models.js';
import { listWithoutKey } from './examine-sites.js';
import { lookAtModels } from './read-status.js';

/** The state of one organization, for its own admins. Names nothing of the machine or of other organizations. */
export interface Health {
  hosts: string[];
  /** The apps whose widget no page can show. */
  withoutKey: (SiteApp & { areRevoked: boolean })[];
  /** Documents that are being read or wait for it, and those that could not be read; at most `mostWork` + 1. */
  documents: { unread: number; failed: number };
  /** `unreachable` and `missing`: answers quote the knowledge, or there are none, by `answers.mode`. */
  model: 'unused' | 'ready' | 'unreachable' | 'missing';
}

export async function readHealth(app: App, actor: Actor): Promise<Health> {
  const { organizationId } = requirePermission(actor, 'administer');
  const apps = await listApps(app, organizationId);
  const count = (status: 'processing' | 'failed') =>
    countBatches(app, organizationId, { status }, mostWork + 1);
  const [domains, withoutKey, unread, failed, model] = await Promise.all([
    listDomains(app, organizationId),
    listWithoutKey(app, organizationId, apps),
    count('processing'),
    count('failed'),
    stateOfModel(app.config),
  ]);
  const hosts = domains.map(({ host }) => host);
  return { hosts, withoutKey, documents: { unread, failed }, model };
}

async function stateOfModel(config: Config): Promise<Health['model']> {
  if (!usesModels(config)) return 'unused';
  const { figures } = await lookAtModels(config);
  if (!figures.reachable) return 'unreachable';
  return figures.chat_installed === true ? 'ready' : 'missing';
}
