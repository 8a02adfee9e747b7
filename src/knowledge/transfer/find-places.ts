import { requirePermission, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { chooseApp } from '../../tenancy/choose-app.js';
import { canonicalPath } from '../../tenancy/manage-views.js';
import { listApps, type SiteApp } from '../../tenancy/sites.repository.js';
import { findView } from '../../tenancy/views.repository.js';
import type { Entry } from '../entry.js';
import { placeEntry, type Place } from '../place-entry.js';
import type { EntryRecord } from './entry-record.js';

/** The place of a record; a missing view will be created. */
export interface ImportPlace extends Place {
  missingView?: { appId: number; path: string; title: string } | undefined;
}

/** Defaults for fields that records omit. */
export interface PlaceDefaults {
  domain?: string | undefined;
  /** The app of entries without a domain whose app has no equally named one here. */
  appId?: number | undefined;
}

export type Places = (
  app: App,
  record: EntryRecord,
  entry: Entry | undefined,
) => Promise<ImportPlace>;

/** Finds the places of records, looking up each place once. Use it for one consistent read of the store. */
export function createPlaces(member: Member, defaults: PlaceDefaults): Places {
  const known = new Map<string, Promise<ImportPlace>>();
  return (app, record, entry) => {
    const wanted = wantedPlace(record, entry, defaults);
    const key = JSON.stringify([wanted, entry?.domain === null ? entry.appId : null]);
    const found = known.get(key) ?? findPlace(app, member, wanted, entry, defaults);
    known.set(key, found);
    return found;
  };
}

interface Wanted {
  domain: string | null;
  appName: string | null | undefined;
  /** Undefined: unchanged. */
  view: string | null | undefined;
  viewId: number | null;
  viewTitle: string | null;
}

function wantedPlace(
  record: EntryRecord,
  entry: Entry | undefined,
  defaults: PlaceDefaults,
): Wanted {
  const standing = entry === undefined ? defaults.domain : entry.domain;
  return {
    domain: record.domain === undefined ? (standing ?? null) : record.domain,
    appName: record.app,
    view: record.view,
    viewId: entry?.viewId ?? null,
    viewTitle: record.view_title ?? null,
  };
}

async function findPlace(
  app: App,
  member: Member,
  { domain, appName, view, viewId, viewTitle }: Wanted,
  entry: Entry | undefined,
  defaults: PlaceDefaults,
): Promise<ImportPlace> {
  const own = entry?.domain === null ? (entry.appId ?? undefined) : undefined;
  const appId =
    domain === null ? await appNamed(app, member, appName, own ?? defaults.appId) : undefined;
  if (view === undefined) return placeEntry(app, member, { domain, appId, viewId });
  const place = await placeEntry(app, member, { domain, appId, viewId: null });
  if (view === null) return place;
  if (place.site === undefined) {
    throw new AppError('unprocessable', `view: no app claims ${place.domain ?? 'its domain'} yet`);
  }
  const path = canonicalPath(view);
  const found = await findView(app, place.site.id, { path });
  if (found !== undefined) return { ...place, viewId: found.id };
  requirePermission(member, 'administer');
  return { ...place, missingView: { appId: place.site.id, path, title: viewTitle ?? path } };
}

/** The app with this name; otherwise the named default, or the only app. */
async function appNamed(
  app: App,
  member: Member,
  name: string | null | undefined,
  otherwise: number | undefined,
): Promise<number | undefined> {
  if (name == null) return otherwise;
  const apps = await listApps(app, member.organizationId);
  const found = apps.find((one) => one.name === name) ?? fallback(apps, otherwise);
  if (found !== undefined) return found.id;
  // Refuses a default app of another organization.
  if (otherwise !== undefined) return (await chooseApp(app, member, { appId: otherwise })).app.id;
  const quoted = JSON.stringify(name.slice(0, 60));
  throw new AppError('not_found', `app: there is no app ${quoted} here; --app names the one meant`);
}

function fallback(apps: SiteApp[], id: number | undefined): SiteApp | undefined {
  if (id !== undefined) return apps.find((one) => one.id === id);
  return apps.length === 1 ? apps[0] : undefined;
}
