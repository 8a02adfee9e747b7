import type { NewEntry } from '../src/knowledge/entry.js';
import { addEntries } from '../src/knowledge/store-entries.js';
import type { App } from '../src/platform/app.js';
import { inTransaction } from '../src/platform/db/in-transaction.js';
import type { TestOrganization } from '../test/support/test-app.js';

export const entryCount = 2000;
export const patternCount = 200;
const entriesPerTransaction = 200;

const parts =
  'pump valve filter motor panel sensor alarm cable switch drain heater fan belt tank gauge nozzle seal hose relay printer'.split(
    ' ',
  );
const tasks = ['clean', 'replace', 'calibrate', 'test', 'order'];

/** Twenty questions, each of which some of the entries answer. */
export const questions = parts.map(
  (part, index) => `How do I ${taskOf(index)} the ${part} of station ${index * 7 + 1}?`,
);

/** Twenty pages of the domain: each is matched by one pattern, and by the entries for the whole domain. */
export function pagesOf(domain: string): string[] {
  return parts.map((part, index) => `https://${domain}/section-${index * 9}/${part}`);
}

/** Published entries of a few hundred characters on one domain, seven of ten under one of the URL patterns. */
export async function addSampleEntries(app: App, acme: TestOrganization): Promise<void> {
  const entries = Array.from({ length: entryCount }, (_, index) =>
    sampleEntry(acme, index, isDomainWide(index) ? null : `/section-${index % patternCount}/*`),
  );
  for (let start = 0; start < entries.length; start += entriesPerTransaction) {
    const slice = entries.slice(start, start + entriesPerTransaction);
    await inTransaction(app, (app) => addEntries(app, slice));
  }
}

/** A published, public entry of four sentences. */
export function sampleEntry(
  acme: TestOrganization,
  index: number,
  urlPattern: string | null,
): NewEntry {
  const part = partOf(index);
  const task = taskOf(index);
  return {
    organizationId: acme.operator.organizationId,
    appId: acme.appId,
    viewId: null,
    domain: acme.domain,
    urlPattern,
    title: `How to ${task} the ${part} of station ${index}`,
    content: [
      `To ${task} the ${part} of station ${index}, switch the station off at the main switch and wait until the light is out.`,
      `Open the cover on the left with the key that hangs beside the ${partOf(index + 3)}, and take the ${part} out by its handle.`,
      `When you ${task} it, check the ${partOf(index + 7)} too: dust there is the most frequent reason of alarm ${100 + (index % 89)}.`,
      'Close the cover, switch the station on and write date and name into the log of the station.',
    ].join(' '),
    language: 'en',
    status: 'published',
    visibility: 'public',
    visibilityDefaulted: false,
    batchId: null,
    chunkIndex: null,
    pageFrom: null,
    pageTo: null,
    changedBy: 'bench',
  };
}

/** Whole rounds through the patterns, so that each pattern has entries. */
function isDomainWide(index: number): boolean {
  return Math.floor(index / patternCount) % 4 === 0;
}

function partOf(index: number): string {
  return parts[index % parts.length] ?? 'pump';
}

function taskOf(index: number): string {
  return tasks[Math.floor(index / parts.length) % tasks.length] ?? 'clean';
}
