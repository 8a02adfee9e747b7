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

export interface NamedEntry {
  /** The entry's uuid, or its number. */
  name: string;
  /** The one that was read; undefined for any. */
  version?: number | undefined;
}

/** One version of an entry: the one that was read. */
export interface NamedVersion extends NamedEntry {
  version: number;
}

export interface WantedChange extends NamedVersion {
  change: EntryChangeName;
}

export interface RefusedEntry {
  /** Its uuid, or the name that no entry has. */
  name: string;
  id: number | undefined;
  title: string | undefined;
  error: AppError;
}

export interface ChangedEach {
  /** How many are changed now. */
  changed: number;
  /** How many were so already. */
  unchanged: number;
  refused: RefusedEntry[];
}

/**
 * Changes many entries, each by itself. One that may not be changed, or that somebody else changed meanwhile, is
 * refused, and the others go on. Errors: `forbidden` for actors who may not write.
 */
export async function changeEach<Wanted extends NamedEntry>(
  app: App,
  actor: Actor,
  wanted: readonly Wanted[],
  /** Returns the entry as it is then; undefined once it is deleted. */
  change: (one: Wanted, ifMatch: string | undefined, before: Entry) => Promise<Entry | undefined>,
): Promise<ChangedEach> {
  const done: ChangedEach = { changed: 0, unchanged: 0, refused: [] };
  for (const one of wanted) {
    const { name, version } = one;
    let before: Entry | undefined;
    try {
      before = await getEntry(app, actor, name);
      const after = await change(one, version === undefined ? undefined : `"${version}"`, before);
      if (after?.version === before.version) done.unchanged += 1;
      else done.changed += 1;
    } catch (error) {
      if (!(error instanceof AppError) || !isOfEntry(error)) throw error;
      done.refused.push({
        name: before?.uuid ?? name,
        id: before?.id,
        title: before?.title,
        error,
      });
    }
  }
  return done;
}

export interface ChangedEntries extends ChangedEach {
  /** The action that reverts the changes. A deleted entry does not come back. */
  undo: WantedChange[];
}

/** Changes many entries as updateEntry and deleteEntry do, with their records of changes. Refuses as changeEach does. */
export async function changeEntries(
  app: App,
  actor: Actor,
  wanted: readonly WantedChange[],
): Promise<ChangedEntries> {
  const undo: WantedChange[] = [];
  const done = await changeEach(app, actor, wanted, async ({ name, change }, ifMatch, before) => {
    if (change === 'delete') {
      await deleteEntry(app, actor, name, ifMatch);
      return undefined;
    }
    const after = await updateEntry(app, actor, name, { ...updateOf(change), ifMatch });
    const { version } = after;
    if (version !== before.version) undo.push({ name, version, change: backTo(before, change) });
    return after;
  });
  return { ...done, undo };
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
