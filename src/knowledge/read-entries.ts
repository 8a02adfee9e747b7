import { ownTiers, requirePermission, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { findEntryNamed, listEntriesWhere } from './entries.repository.js';
import type { Entry, EntryStatus } from './entry.js';

export interface EntryListInput {
  status?: EntryStatus | undefined;
  visibility?: Visibility | undefined;
  domain?: string | undefined;
  urlPattern?: string | undefined;
  appId?: number | undefined;
  page: number;
  limit: number;
}

/** A page of the organization's entries, oldest first. Who may not write sees what is published to them. */
export async function listEntries(
  app: App,
  actor: Actor,
  input: EntryListInput,
): Promise<{ entries: Entry[]; total: number }> {
  const member = requirePermission(actor, 'knowledge.read');
  const { page, limit, visibility, ...filter } = input;
  const tiers = ownTiers(member);
  const visibilities =
    visibility === undefined ? tiers : tiers.filter((tier) => tier === visibility);
  const staff = tiers.includes('internal');
  if (!staff && filter.status === 'draft') return { entries: [], total: 0 };
  return listEntriesWhere(
    app,
    {
      ...filter,
      status: staff ? filter.status : 'published',
      organizationId: member.organizationId,
      visibilities,
    },
    { offset: (page - 1) * limit, limit },
  );
}

/** One entry by its uuid or number. What the actor may not see is `not_found`, as is what does not exist. */
export async function getEntry(app: App, actor: Actor, name: string): Promise<Entry> {
  const member = requirePermission(actor, 'knowledge.read');
  const entry = await findEntryNamed(app, member.organizationId, name);
  const tiers = ownTiers(member);
  const visible =
    entry !== undefined &&
    tiers.includes(entry.visibility) &&
    (entry.status === 'published' || tiers.includes('internal'));
  if (!visible) throw new AppError('not_found', `There is no knowledge entry ${name}.`);
  return entry;
}
