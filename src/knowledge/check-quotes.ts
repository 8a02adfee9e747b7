import { may, ownTiers, type Actor, type Visibility } from '../platform/actor.js';
import type { Store } from '../platform/app.js';
import { rightsMissing } from '../search/passages/scope.js';
import { findEntryStates, type EntryState } from './entries.repository.js';
import { findUnchanged } from './versions.repository.js';

/** An entry from which a text was made, in its version at that time. */
export interface Quote {
  uuid: string;
  /** 0 when it changed while the text was made; undefined when no version was stored. */
  version?: number | undefined;
  visibility?: Visibility | undefined;
}

/** What a reader may see of a text: nothing (`closed`) or all; `changed` when an entry has changed since. */
export type QuoteState = 'open' | 'changed' | 'closed';

export interface EntryReader {
  organizationId: number;
  /** The only app whose entries the reader sees. */
  appId: number | undefined;
  tiers: Visibility[];
  /** True when the reader also sees unpublished entries. */
  drafts: boolean;
}

export function entryReader(actor: Exclude<Actor, { kind: 'anonymous' }>): EntryReader {
  const { organizationId } = actor;
  const appId = 'appId' in actor ? actor.appId : undefined;
  const drafts = may(actor, 'knowledge.write');
  return { organizationId, appId, tiers: ownTiers(actor), drafts };
}

/**
 * Whether a reader may open an entry in its present state. A reader may open entries of the own organization in the
 * reader's tiers, and public entries of others. In an app's widget, only entries that a search there finds.
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
 * What a reader may see of a text made from these entries. People who write knowledge see texts of deleted entries:
 * they maintain what was said, and the audit log shows it anyway. A text from an entry in a tier that the reader does
 * not see stays closed, whatever tier the entry has now.
 */
export async function checkQuotes(
  app: Store,
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

/** A version of an entry, in the form of findUnchanged. */
function nameOf({ uuid, version }: Quote): string {
  return `${uuid}:${version}`;
}
