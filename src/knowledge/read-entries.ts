import type { Language } from '../language/language-pack.js';
import {
  may,
  ownTiers,
  requirePermission,
  type Actor,
  type Visibility,
} from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import type { Page, Paged } from '../platform/db/select-page.js';
import { findNamed } from '../platform/find-named.js';
import { matchAllWords } from '../search/ranking/match-all-words.js';
import { chooseApp } from '../tenancy/choose-app.js';
import { normalizeHost } from '../tenancy/page-address.js';
import { entryReader, isOpenTo } from './check-quotes.js';
import { findEntriesCalled, findEntryNamed } from './entries.repository.js';
import { listEntriesWhere } from './entry-lists.repository.js';
import type { Entry, EntrySort, EntryStatus } from './entry.js';
import { normalizePattern } from './match-pattern.js';
import { listVersionsOf } from './versions.repository.js';

export interface EntryListInput extends Page {
  /** Words that a passage of the entry must contain, all of them. */
  q?: string | undefined;
  status?: EntryStatus | undefined;
  visibility?: Visibility | undefined;
  domain?: string | undefined;
  language?: Language | undefined;
  /** The id of a batch, or the name of a file. Who may not write gets no entries by it. */
  document?: string | undefined;
  urlPattern?: string | undefined;
  appId?: number | undefined;
  /** Whether an answer of the organization cites it. Who may not read all answers gets no entries by it. */
  used?: boolean | undefined;
  /** Default: by relevance with `q`, else oldest first. */
  sort?: EntrySort | undefined;
}

/**
 * A page of the organization's entries. Actors who may not write see only entries published to them. Errors:
 * `not_found` for an app of another organization; `invalid_request` for a sort by relevance without `q`.
 */
export async function listEntries(
  app: App,
  actor: Actor,
  input: EntryListInput,
): Promise<Paged<Entry>> {
  const member = requirePermission(actor, 'knowledge.read');
  const { q, visibility, appId, status, used, language, document } = input;
  if (appId !== undefined) await chooseApp(app, member, { appId });
  const sort = input.sort ?? (q === undefined ? 'created_at' : 'relevance');
  if (sort === 'relevance' && q === undefined) throw relevanceOfNothing();
  const tiers = ownTiers(member);
  const matching =
    q === undefined ? undefined : await matchAllWords(app, member.organizationId, tiers, q);
  const isStaff = tiers.includes('internal');
  const isHidden = !isStaff && status === 'draft';
  const isUntold =
    (used !== undefined && !may(actor, 'conversations.read_all')) ||
    (document !== undefined && !may(actor, 'knowledge.write'));
  const isVain = matching?.length === 0 || isHidden || isUntold;
  if (isVain) return { items: [], total: 0 };
  const filter = {
    organizationId: member.organizationId,
    status: isStaff ? status : ('published' as const),
    // All tiers exclude nothing, and would keep the database from counting by its index.
    visibilities:
      isStaff && visibility === undefined
        ? undefined
        : tiers.filter((tier) => visibility === undefined || tier === visibility),
    domain: input.domain === undefined ? undefined : normalizeHost(input.domain),
    urlPattern: input.urlPattern === undefined ? undefined : normalizePattern(input.urlPattern),
    appId,
    language,
    documentNamed: document,
    used,
    matching,
  };
  return listEntriesWhere(app, filter, sort, input);
}

/** One entry by its uuid or number. Errors: `not_found` for a missing entry, or one that the actor may not see. */
export async function getEntry(app: App, actor: Actor, name: string): Promise<Entry> {
  const member = requirePermission(actor, 'knowledge.read');
  const entry = await findEntryNamed(app, member.organizationId, name);
  if (entry !== undefined && isOpenTo(entryReader(member), entry)) return entry;
  throw new AppError('not_found', `There is no knowledge entry ${name}.`);
}

/** Finds an entry by its number, uuid (or its beginning) or title. Errors: those of findNamed. */
export async function getEntryNamed(app: App, actor: Actor, name: string): Promise<Entry> {
  const { organizationId } = requirePermission(actor, 'knowledge.write');
  const among = await findEntriesCalled(app, organizationId, name.trim(), 100);
  const namesOf = ({ id, uuid, title }: Entry) => ({ id, key: uuid, names: [title] });
  return findNamed(name, { thing: 'knowledge entry', among, namesOf });
}

/**
 * The earlier versions of an entry, newest first. Only for staff, because an older version may have had another tier.
 * Errors: `not_found`.
 */
export async function listHistory(
  app: App,
  actor: Actor,
  input: Page & { name: string },
): Promise<Paged<Entry>> {
  requirePermission(actor, 'knowledge.write');
  const entry = await getEntry(app, actor, input.name);
  return listVersionsOf(app, entry.id, input);
}

function relevanceOfNothing(): AppError {
  const message = 'sorts what q found: send q too, or another sort';
  return new AppError('invalid_request', `sort: relevance ${message}`, {
    problems: [{ path: 'sort', message }],
  });
}
