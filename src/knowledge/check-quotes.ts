import { may, ownTiers, type Actor, type Visibility } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { rightsMissing } from '../search/passages/scope.js';
import { findEntryStates, type EntryState } from './entries.repository.js';
import { findUnchanged } from './versions.repository.js';

/** An entry that a text was made from, as it was then. */
export interface Quote {
  uuid: string;
  /** 0 where it was changed while the text was made; undefined where nobody has noted it. */
  version?: number | undefined;
  visibility?: Visibility | undefined;
}

/**
 * What a reader may be shown of a text: nothing (`closed`), or all; `changed` where the entry says something else now.
 */
export type QuoteState = 'open' | 'changed' | 'closed';

export interface EntryReader {
  organizationId: number;
  /** Reads one app's entries alone. */
  appId: number | undefined;
  tiers: Visibility[];
  /** Reads what is not published too. */
  drafts: boolean;
}

export function entryReader(actor: Exclude<Actor, { kind: 'anonymous' }>): EntryReader {
  const { organizationId } = actor;
  const appId = 'appId' in actor ? actor.appId : undefined;
  const drafts = may(actor, 'knowledge.write');
  return { organizationId, appId, tiers: ownTiers(actor), drafts };
}

/**
 * Whether somebody may open an entry as it stands now: of their own organization what their tiers show, wherever it
 * belongs; of others what is public; and in an app's widget only what a search there finds.
 */
export function isOpenTo(reader: EntryReader, entry: EntryState): boolean {
  const { organizationId, appId, tiers, drafts } = reader;
  const published = entry.status === 'published';
  if (appId === undefined && entry.organizationId === organizationId) {
    return tiers.includes(entry.visibility) && (published || drafts);
  }
  const scope =
    appId === undefined
      ? { organizationId: entry.organizationId, appId, tiers: ['public' as const] }
      : { organizationId, appId, tiers };
  return rightsMissing({ ...entry, published }, scope).length === 0;
}

/**
 * What a reader may be shown of what was made from these entries. To those who write knowledge what is gone altogether
 * is open: they look after what was told of it, and the audit log shows it to them. What an entry said while it had a
 * tier that the reader does not see stays closed, however open the entry is now.
 */
export async function checkQuotes(
  app: Pick<App, 'db' | 'clock'>,
  reader: EntryReader,
  quotes: Quote[],
): Promise<(quote: Quote) => QuoteState> {
  const uuids = [...new Set(quotes.map(({ uuid }) => uuid))];
  const entries =
    uuids.length === 0 ? new Map<string, EntryState>() : await findEntryStates(app, uuids);
  const isOlder = ({ uuid, version }: Quote) =>
    version !== undefined && version !== entries.get(uuid)?.version;
  const older = quotes.filter(isOlder);
  const unchanged = older.length === 0 ? new Set<string>() : await findUnchanged(app, older);
  return (quote) => {
    const entry = entries.get(quote.uuid);
    if (entry === undefined) return reader.drafts ? 'open' : 'closed';
    if (!isOpenTo(reader, entry)) return 'closed';
    if (!isOlder(quote) || unchanged.has(nameOf(quote))) return 'open';
    const then = { ...entry, visibility: quote.visibility ?? entry.visibility };
    return isOpenTo(reader, then) ? 'changed' : 'closed';
  };
}

/** A version of an entry, as findUnchanged names it. */
function nameOf({ uuid, version }: Quote): string {
  return `${uuid}:${version}`;
}
