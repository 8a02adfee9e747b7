import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { importSlice } from './import-slice.js';
import { failed, type Imported, type ImportOptions, type ReadRecord } from './imported.js';
import type { Said } from './read-sources.js';

/** A slice is one transaction: short enough that the server's own writes need not wait. */
const entriesPerSlice = 100;
const charactersPerSlice = 500_000;

/**
 * Imports records slice by slice, each in one transaction, and says what became of each. What is the same already is
 * left alone, so that an interrupted import is gone on with by running it again; an entry that changes keeps its
 * history. A record that can't be stored never stops the others. Refuses with `forbidden` who may not write knowledge.
 */
export async function* importEntries(
  app: App,
  actor: Actor,
  records: AsyncIterable<Said>,
  options: ImportOptions,
): AsyncGenerator<Imported> {
  const member = requirePermission(actor, 'knowledge.write');
  const seen = new Set<string>();
  let slice: ReadRecord[] = [];
  let characters = 0;
  for await (const said of records) {
    const read = readRecord(said);
    if ('action' in read) {
      yield read;
      continue;
    }
    slice.push(read);
    characters += read.record.content.length;
    if (slice.length < entriesPerSlice && characters < charactersPerSlice) continue;
    yield* await importSlice(app, member, slice, seen, options);
    slice = [];
    characters = 0;
    if (options.signal.aborted) return;
  }
  if (slice.length > 0 && !options.signal.aborted) {
    yield* await importSlice(app, member, slice, seen, options);
  }
}

function readRecord(said: Said): ReadRecord | Imported {
  try {
    return { said, record: said.read() };
  } catch (error) {
    return failed(said, error);
  }
}
