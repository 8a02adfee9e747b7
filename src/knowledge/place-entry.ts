import type { Member } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { refusedField } from '../platform/errors.js';
import { chooseApp } from '../tenancy/choose-app.js';
import { findDomainOf } from '../tenancy/find-site.js';
import { normalizeHost } from '../tenancy/page-address.js';
import type { SiteApp } from '../tenancy/sites.repository.js';
import { findView } from '../tenancy/views.repository.js';

export interface PlaceInput {
  /** A host name; null for the whole app. */
  domain: string | null;
  appId?: number | undefined;
  viewId: number | null;
}

export interface Place {
  domain: string | null;
  viewId: number | null;
  /** Undefined while no app claims the domain: the entry waits and is invisible. */
  site: SiteApp | undefined;
}

/**
 * The app of a domain, and a view of that app. Errors: `conflict` for a domain of another organization, or of another
 * app than the named one; `not_found` for a missing app or view; `unprocessable` for a view of an unknown app.
 */
export async function placeEntry(app: App, member: Member, input: PlaceInput): Promise<Place> {
  const domain = input.domain === null ? null : normalizeHost(input.domain);
  const site = await siteOf(app, member, domain, input.appId);
  if (input.viewId === null) return { domain, viewId: null, site };
  if (site === undefined) {
    throw refusedField(
      'view_id',
      `is of no use yet: no app claims ${domain ?? 'the domain'}`,
      'unprocessable',
    );
  }
  const view = await findView(app, site.id, { id: input.viewId });
  if (view === undefined) {
    throw refusedField(
      'view_id',
      `there is no view ${input.viewId} in the app ${site.name}`,
      'not_found',
    );
  }
  return { domain, viewId: view.id, site };
}

async function siteOf(
  app: App,
  member: Member,
  domain: string | null,
  appId: number | undefined,
): Promise<SiteApp | undefined> {
  if (domain === null) return (await chooseApp(app, member, { appId })).app;
  const claim = await findDomainOf(app, domain);
  if (claim === undefined) {
    // An app has no rights to a domain before it claims it, so a named app is only validated.
    if (appId !== undefined) await chooseApp(app, member, { appId });
    return undefined;
  }
  return (await chooseApp(app, member, { appId, domain })).app;
}
