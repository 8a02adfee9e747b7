import { ownTiers, tiersAt, visibilities, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import type { SearchScope } from '../search/passages/scope.js';
import type { Place } from '../search/passages/place.js';
import { findSite, type FindClaim } from '../tenancy/find-site.js';
import { claimsOn } from '../tenancy/page-address.js';
import { domainsWithPatterns, placesOf } from './app-places.js';

/** The rights of a search, and the page to prefer. */
export interface PageScope {
  scope: SearchScope;
  place: Place | undefined;
}

/**
 * The rights of a search. At a registered page, those of the page query. Elsewhere the actor's own rights in the
 * organization, or in the one app that is named or whose widget is used. `tier` limits them to what a person with that
 * tier sees.
 */
export async function pageScope(
  app: App,
  actor: Exclude<Actor, { kind: 'anonymous' }>,
  page: {
    url?: string | undefined;
    tier?: Visibility | undefined;
    appId?: number | undefined;
    field?: string;
    claimOn?: FindClaim | undefined;
  },
): Promise<PageScope> {
  const { url, tier, field, claimOn } = page;
  // The page's claimed address gives a widget no access to another app.
  const boundApp = 'appId' in actor ? actor.appId : undefined;
  // In parallel with finding the page's site, because the first words of an answer wait for both.
  const bound = url === undefined || boundApp === undefined ? undefined : placesOf(app, boundApp);
  bound?.catch(() => undefined);
  const site = url === undefined ? undefined : await findSite(app, url, field, claimOn);
  const narrowed = (tiers: Visibility[]) =>
    tier === undefined ? tiers : tiers.filter((one) => tiersUpTo(tier).includes(one));
  if (site?.app === undefined || (boundApp ?? site.app.id) !== site.app.id) {
    const { organizationId } = actor;
    const scope = {
      organizationId,
      appId: boundApp ?? page.appId,
      tiers: narrowed(ownTiers(actor)),
    };
    return { scope, place: undefined };
  }
  const { organizationId, id: appId } = site.app;
  const tiers = narrowed(tiersAt(actor, { organizationId, appId }));
  const domains = claimsOn(site.host);
  const places = await (bound ?? placesOf(app, appId));
  return {
    scope: { organizationId, appId, tiers },
    place: {
      viewId: undefined,
      domains,
      patterns: domainsWithPatterns(places, domains).flatMap((one) =>
        one.patterns.matching(site.path),
      ),
      path: site.path,
    },
  };
}

/** The tiers of a person with this highest tier: it, and those visible to more people. */
function tiersUpTo(tier: Visibility): Visibility[] {
  return visibilities.slice(0, visibilities.indexOf(tier) + 1);
}
