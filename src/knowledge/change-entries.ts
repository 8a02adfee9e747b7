import type { Actor } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { AppError } from '../platform/errors.js';
import { deleteEntry } from './delete-entry.js';
import type { Entry } from './entry.js';
import { getEntry } from './read-entries.js';
import { updateEntry, type EntryUpdate } from './update-entry.js';

/** The actions on many entries at once. `as_app`: the tier that the site gives by default. */
export const entryChanges = [
  'publish',
  'take_back',
  'public',
  'authenticated',
  'internal',
  'as_app',
  'delete',
] as const;
export type EntryChangeName = (typeof entryChanges)[number];

/** A change of one version of an entry. */
export interface WantedChange {
  /** The entry's uuid. */
  name: string;
  /** The version that was read. */
  version: number;
  change: EntryChangeName;
}

export interface ChangedEntries {
  /** How many are changed now. */
  changed: number;
  /** How many were so already. */
  unchanged: number;
  /** The action that reverts the changes. A deleted entry does not come back. */
  undo: WantedChange[];
  refused: { name: string; title: string | undefined; error: AppError }[];
}

/**
 * Changes many entries, each by itself as updateEntry and deleteEntry do, with its record of changes. What somebody
 * else changed meanwhile stays as it is. Errors: `forbidden` for actors who may not write.
 */
export async function changeEntries(
  app: App,
  actor: Actor,
  wanted: readonly WantedChange[],
): Promise<ChangedEntries> {
  const done: ChangedEntries = { changed: 0, unchanged: 0, undo: [], refused: [] };
  for (const one of wanted) {
    const { name } = one;
    let before: Entry | undefined;
    try {
      before = await getEntry(app, actor, name);
      const after = await carryOut(app, actor, one);
      if (after?.version === before.version) done.unchanged += 1;
      else done.changed += 1;
      if (after !== undefined && after.version !== before.version) {
        const { version } = after;
        done.undo.push({ name, version, change: backTo(before, one.change) });
      }
    } catch (error) {
      if (!(error instanceof AppError) || !isOfEntry(error)) throw error;
      done.refused.push({ name, title: before?.title, error });
    }
  }
  return done;
}

/** The entry as it is then; undefined once it is deleted. */
async function carryOut(app: App, actor: Actor, wanted: WantedChange): Promise<Entry | undefined> {
  const { name, version, change } = wanted;
  const ifMatch = `"${version}"`;
  if (change !== 'delete') return updateEntry(app, actor, name, { ...updateOf(change), ifMatch });
  await deleteEntry(app, actor, name, ifMatch);
  return undefined;
}

function updateOf(change: Exclude<EntryChangeName, 'delete'>): EntryUpdate {
  if (change === 'publish') return { status: 'published' };
  if (change === 'take_back') return { status: 'draft' };
  return { visibility: change === 'as_app' ? null : change };
}

function backTo(before: Entry, change: EntryChangeName): EntryChangeName {
  if (change === 'publish' || change === 'take_back')
    return before.status === 'published' ? 'publish' : 'take_back';
  return before.visibilityDefaulted ? 'as_app' : before.visibility;
}

/** True for what concerns this entry alone: others may go on. */
function isOfEntry({ code }: AppError): boolean {
  return ['not_found', 'precondition_failed', 'conflict', 'invalid_request'].includes(code);
}
