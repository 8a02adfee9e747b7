import type { Member } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { findDomainOf } from './find-site.js';
import { normalizeHost } from './page-address.js';
import { findApp, listApps, type SiteApp } from './sites.repository.js';

export interface ChosenApp {
  app: SiteApp;
  domain: string | null;
  /** True when an app has registered the domain. Entries for an unregistered one wait and are invisible. */
  domainIsRegistered: boolean;
}

/**
 * Chooses the app and domain for stored data. Default: the organization's first app. A domain alone determines its app.
 * Errors: `not_found` for an app of another organization; `conflict` for a domain of another organization or app;
 * `unprocessable` for a domain alone that no app has registered.
 */
export async function chooseApp(
  app: App,
  actor: Member,
  given: { appId?: number | undefined; domain?: string | undefined },
): Promise<ChosenApp> {
  const host = given.domain === undefined ? undefined : normalizeHost(given.domain);
  const claimed = host === undefined ? undefined : await findDomainOf(app, host);
  if (
    host !== undefined &&
    claimed !== undefined &&
    claimed.organizationId !== actor.organizationId
  ) {
    throw new AppError('conflict', `The domain ${host} is registered by another organization.`, {
      reason: { is: 'domain_foreign', host },
    });
  }
  const chosen = await appOf(app, actor, given.appId ?? claimed?.appId, host);
  if (claimed !== undefined && claimed.appId !== chosen.id) {
    throw new AppError(
      'conflict',
      `The domain ${claimed.host} belongs to another app than ${chosen.name}.`,
      { reason: { is: 'domain_of_other_app', host: claimed.host, app: chosen.name } },
    );
  }
  return { app: chosen, domain: host ?? null, domainIsRegistered: claimed !== undefined };
}

async function appOf(
  app: App,
  actor: Member,
  id: number | undefined,
  host: string | undefined,
): Promise<SiteApp> {
  if (id !== undefined) {
    const found = await findApp(app, id);
    if (found?.organizationId === actor.organizationId) return found;
    throw new AppError('not_found', `There is no app ${id} in this organization.`);
  }
  if (host !== undefined) {
    throw new AppError(
      'unprocessable',
      `No app claims the domain ${host}. Register it, or name the app that is meant.`,
      { reason: { is: 'domain_unclaimed', host } },
    );
  }
  const [first] = await listApps(app, actor.organizationId);
  if (first !== undefined) return first;
  throw new AppError(
    'not_found',
    'This organization has no app yet. Create one with: assistant init',
    { reason: { is: 'no_app' } },
  );
}
