import type { Store } from '../platform/app.js';
import {
  inIndexingTransaction,
  reindexEntries,
  type IndexableEntry,
} from '../search/index-entries.js';
import { passagesIn } from '../search/passages/split-passages.js';
import {
  readPassagesOf,
  updateEligibility,
  updatePages,
  type Eligibility,
  type IndexedPassage,
} from '../search/passages/passages.repository.js';
import { listOrganizations } from '../tenancy/sites.repository.js';
import { eligibilityOf, type Entry } from './entry.js';
import { findEntriesAfter } from './entry-lists.repository.js';

/**
 * How the passages of an entry disagree with it: `missing`, there are none, so nobody finds it; `text`, they hold other
 * words; `rights`, other people find it than may; `pages`, they name other pages of its document.
 */
export type PassageFault = (typeof passageFaults)[number];
export const passageFaults = ['missing', 'text', 'rights', 'pages'] as const;

export type FaultCounts = Record<PassageFault, number>;

const entriesAtOnce = 500;

/** The number of entries whose passages disagree with them, by fault; an entry counts once. */
export async function countPassageFaults(app: Store): Promise<FaultCounts> {
  return eachFaulty(app, () => Promise.resolve());
}

/** Makes the passages agree with their entries, in one transaction. The entries are right, because people read them. */
export async function mendPassages(app: Store): Promise<FaultCounts> {
  return inIndexingTransaction(app, (app) =>
    eachFaulty(app, async (faulty) => {
      const anew = [...faulty.missing, ...faulty.text];
      if (anew.length > 0) await reindexEntries(app, anew.map(indexable));
      // Their texts stay, and with them their vectors.
      for (const entry of [...faulty.rights, ...faulty.pages]) {
        await updateEligibility(app, [entry.id], eligibilityOf(entry));
        await updatePages(app, entry.id, entry);
      }
    }),
  );
}

function indexable(entry: Entry): IndexableEntry {
  return { ...entry, entryId: entry.id, eligibility: eligibilityOf(entry) };
}

/** Calls `work` with the faulty entries among some hundred at a time. */
async function eachFaulty(
  app: Store,
  work: (faulty: Record<PassageFault, Entry[]>) => Promise<void>,
): Promise<FaultCounts> {
  const counts = { missing: 0, text: 0, rights: 0, pages: 0 };
  for (const { id: organizationId } of await listOrganizations(app)) {
    for (let after = 0, more = true; more;) {
      const entries = await findEntriesAfter(app, { organizationId }, after, entriesAtOnce);
      const passages = await readPassagesOf(
        app,
        entries.map(({ id }) => id),
      );
      const faulty: Record<PassageFault, Entry[]> = {
        missing: [],
        text: [],
        rights: [],
        pages: [],
      };
      for (const entry of entries) {
        const fault = faultOf(entry, passages.get(entry.id) ?? []);
        if (fault !== undefined) faulty[fault].push(entry);
      }
      for (const fault of passageFaults) counts[fault] += faulty[fault].length;
      await work(faulty);
      after = entries.at(-1)?.id ?? after;
      more = entries.length === entriesAtOnce;
    }
  }
  return counts;
}

function faultOf(entry: Entry, passages: readonly IndexedPassage[]): PassageFault | undefined {
  if (passages.length === 0) return 'missing';
  const hasText =
    passages.every(({ title, language }) => title === entry.title && language === entry.language) &&
    holdText(
      entry.content,
      passages.map(({ body }) => body),
    );
  if (!hasText) return 'text';
  const rights = eligibilityOf(entry);
  if (!passages.every(({ eligibility }) => isSame(eligibility, rights))) return 'rights';
  const hasPages = passages.every(
    ({ pageFrom, pageTo }) => pageFrom === entry.pageFrom && pageTo === entry.pageTo,
  );
  return hasPages ? undefined : 'pages';
}

function isSame(one: Eligibility, other: Eligibility): boolean {
  return (Object.keys(one) as (keyof Eligibility)[]).every((key) => one[key] === other[key]);
}

/**
 * True when passages hold a text from beginning to end, wherever it was split: an earlier version may have split it
 * elsewhere.
 */
function holdText(content: string, bodies: readonly string[]): boolean {
  const whole = content.trim();
  if (whole === '') return bodies.length === 1 && bodies[0] === '';
  return covers(whole, bodies) || isSplitInto(whole, bodies);
}

function covers(whole: string, bodies: readonly string[]): boolean {
  let start = -1;
  let end = 0;
  for (const body of bodies) {
    start = whole.indexOf(body, start + 1);
    if (start < 0 || body === '' || whole.slice(end, start).trim() !== '') return false;
    end = Math.max(end, start + body.length);
  }
  return end === whole.length;
}

/** In a text that repeats itself, a passage may be found too early. */
function isSplitInto(whole: string, bodies: readonly string[]): boolean {
  const fresh = [...passagesIn(whole)];
  return fresh.length === bodies.length && fresh.every((body, index) => body === bodies[index]);
}
