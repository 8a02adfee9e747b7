import { messageOf } from '../../platform/errors.js';
import type { App } from '../../platform/app.js';
import { decodeStems } from '../../platform/text/stem-codes.js';
import { countTotals, type SearchScope, type Totals } from '../passages.repository.js';
import {
  readPassagesAfter,
  readSettingsBetween,
  type PassageSettings,
} from './memory.repository.js';
import { addStems, createStemIndex, mostInSegment, type StemIndex } from './stem-index.js';

/**
 * All passages of the installation, as far as a search chooses among them: their stems, who may see them, and where
 * they belong. By slot, in the order of their numbers.
 */
export interface PassageMemory {
  stems: StemIndex;
  ids: number[];
  /** Undefined for a passage that is gone. */
  settings: (PassageSettings | undefined)[];
}

interface Remembering {
  app: Store;
  memory: PassageMemory;
  /** Of the index when it was as remembered; undefined before everything was read. */
  revision: number | undefined;
  refreshing: Promise<void> | undefined;
  /** In milliseconds, as performance.now() has it. */
  restsUntil: number;
  /** It was stopped, or there are too many passages. */
  stopped: boolean;
}

export interface RememberedPassages {
  /** Reads what has changed, for those who can wait for it. */
  refresh: () => Promise<void>;
  stop: () => Promise<void>;
}

type Store = Pick<App, 'db' | 'log'>;

const kept = new WeakMap<App['db'], Remembering>();

/** Rows read at once: some milliseconds, in which nobody else is served. */
const readAtOnce = 500;
/** How long nothing is read after reading, in times of what it took: while much changes, it must not slow all else. */
const restShare = 4;
/** Stems of passages beyond which an installation is searched on its disk: 100 MB, some 280,000 passages. */
const mostPostings = 25_000_000;

/**
 * Keeps the passages in memory until it is stopped: begins to read them, and reads what has changed whenever a search
 * meets a change, its own or another process's. Meanwhile searches go to the database.
 */
export function rememberPassages(app: Store): RememberedPassages {
  const remembering: Remembering = {
    ...{ app, memory: emptyMemory(), revision: undefined },
    ...{ refreshing: undefined, restsUntil: 0, stopped: false },
  };
  kept.set(app.db, remembering);
  void refresh(remembering);
  return {
    async refresh() {
      // What is being read may have begun before the change.
      await remembering.refreshing;
      await refresh(remembering);
    },
    async stop() {
      remembering.stopped = true;
      kept.delete(app.db);
      await remembering.refreshing;
    },
  };
}

/**
 * The passages in memory, where they are exactly those of the index with these totals; else undefined, and the changes
 * are read. Within a transaction nothing is remembered.
 */
export function recallPassages(app: Pick<App, 'db'>, totals: Totals): PassageMemory | undefined {
  const remembering = kept.get(app.db);
  if (remembering === undefined || remembering.stopped) return undefined;
  if (remembering.revision === totals.revision) return remembering.memory;
  if (performance.now() >= remembering.restsUntil) void refresh(remembering);
  return undefined;
}

/** What is known of a passage by its number; undefined for one that is gone. */
export function settingsOf(
  { ids, settings }: PassageMemory,
  id: number,
): PassageSettings | undefined {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = ids[middle] ?? 0;
    if (found === id) return settings[middle];
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** Whether a search within the scope may see a passage. */
export function isVisible(settings: PassageSettings | undefined, scope: SearchScope): boolean {
  return (
    settings !== undefined &&
    settings.organizationId === scope.organizationId &&
    settings.published &&
    settings.appId !== null &&
    (scope.appId === undefined || settings.appId === scope.appId) &&
    scope.tiers.includes(settings.visibility)
  );
}

function emptyMemory(): PassageMemory {
  return { stems: createStemIndex(), ids: [], settings: [] };
}

/** One at a time. It never fails: without it searches are slower, and the next one tries again. */
function refresh(remembering: Remembering): Promise<void> {
  const started = performance.now();
  remembering.refreshing ??= readChanges(remembering)
    .catch((error: unknown) => {
      if (remembering.stopped) return;
      // What was read in part fits to nothing that is read later.
      remembering.memory = emptyMemory();
      remembering.revision = undefined;
      remembering.app.log.warn({ reason: messageOf(error) }, 'passages were not read into memory');
    })
    .finally(() => {
      remembering.refreshing = undefined;
      const ended = performance.now();
      remembering.restsUntil = ended + restShare * (ended - started);
    });
  return remembering.refreshing;
}

async function readChanges(remembering: Remembering): Promise<void> {
  const { app } = remembering;
  // Read before the passages: should they change in between, the next search meets another revision.
  const totals = await countTotals(app);
  const before = remembering.revision;
  // Half of it gone: read anew.
  if (remembering.memory.ids.length > 2 * totals.passages + 1000) {
    remembering.memory = emptyMemory();
  }
  const { memory } = remembering;
  const had = memory.ids.length;
  await readNew(remembering, memory);
  const added = memory.ids.length - had;
  // Each change raises the revision by one. Where they are not all passages that came, any may have changed.
  const onlyAdded = had === 0 || (before !== undefined && totals.revision - before === added);
  if (!onlyAdded) await readSettingsAgain(remembering, memory, had);
  remembering.revision = remembering.stopped ? undefined : totals.revision;
}

/** Gives the memory back: such an installation is searched on its disk. */
function giveUp(remembering: Remembering): void {
  remembering.stopped = true;
  remembering.memory = emptyMemory();
  remembering.app.log.info('there are too many passages to keep them in memory');
}

async function readNew(remembering: Remembering, memory: PassageMemory): Promise<void> {
  const interned = intern();
  const waiting: Uint32Array[] = [];
  for (let more = true; more && !remembering.stopped;) {
    const rows = await readPassagesAfter(remembering.app, memory.ids.at(-1) ?? 0, readAtOnce);
    for (const { id, settings, stems } of rows) {
      memory.ids.push(id);
      memory.settings.push(interned(settings));
      waiting.push(decodeStems(stems));
    }
    more = rows.length === readAtOnce;
    // A segment at a time: each is built in one go.
    const isFull = waiting.length + memory.stems.open.length >= mostInSegment;
    if (!more || isFull) addStems(memory.stems, waiting.splice(0));
    if (memory.stems.postings > mostPostings) giveUp(remembering);
  }
}

async function readSettingsAgain(
  remembering: Remembering,
  memory: PassageMemory,
  number: number,
): Promise<void> {
  const interned = intern();
  const last = memory.ids[number - 1] ?? 0;
  let slot = 0;
  for (let after = 0, more = true; more && !remembering.stopped;) {
    const rows = await readSettingsBetween(remembering.app, after, last, 4 * readAtOnce);
    for (const { id, settings } of rows) {
      for (; (memory.ids[slot] ?? Infinity) < id; slot++) memory.settings[slot] = undefined;
      memory.settings[slot] = interned(settings);
      slot++;
      after = id;
    }
    more = rows.length === 4 * readAtOnce;
  }
  if (!remembering.stopped) memory.settings.fill(undefined, slot, number);
}

/** One object for all passages that are alike: most of an installation are. */
function intern(): (settings: PassageSettings) => PassageSettings {
  const known = new Map<string, PassageSettings>();
  return (settings) => {
    const key = JSON.stringify(Object.values(settings));
    const same = known.get(key) ?? settings;
    known.set(key, same);
    return same;
  };
}
