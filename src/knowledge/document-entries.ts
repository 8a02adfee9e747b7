import { isNarrower } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { updatePages } from '../search/passages/passages.repository.js';
import { updateSource } from './entries.repository.js';
import type { EntrySource } from './entry-row.js';
import type { Entry } from './entry.js';
import { changeEntry, removeEntries } from './store-entries.js';

// What a document that is read again does to its entries. All of it runs inside the caller's transaction.

/** Brings up to date where in the document an entry stands. What it says stays, and so does its version. */
export async function moveInDocument(
  app: App,
  entry: Entry,
  source: Partial<EntrySource>,
): Promise<void> {
  const isSame = Object.entries(source).every(
    ([name, value]) => entry[name as keyof Entry] === value,
  );
  if (isSame) return;
  await updateSource(app, entry.id, source);
  const { pageFrom, pageTo } = { ...entry, ...source };
  await updatePages(app, entry.id, { pageFrom, pageTo });
}

/**
 * Puts a draft's text into the entry that it replaces, published, as that entry's next version; the draft goes.
 * The entry keeps its ids, its history and its place, so that links, citations and feedback go on meaning it.
 * A visibility that somebody chose for the draft counts where it is the narrower one; else the entry keeps its own:
 * a new text never opens what a person has closed.
 */
export async function replaceEntry(
  app: App,
  entry: Entry,
  draft: Entry,
  changedBy: string,
): Promise<Entry> {
  const { title, content, language, batchId, chunkIndex, pageFrom, pageTo } = draft;
  const { sourceSha256, sourceTitle, edited } = draft;
  const change = {
    title,
    content,
    language,
    batchId,
    chunkIndex,
    pageFrom,
    pageTo,
    sourceSha256,
    sourceTitle,
    edited,
    status: 'published' as const,
    ...(closes(draft, entry) ? { visibility: draft.visibility, visibilityDefaulted: false } : {}),
  };
  await removeEntries(app, [draft.id]);
  const changed = await changeEntry(app, entry, change, changedBy);
  await updatePages(app, entry.id, { pageFrom, pageTo });
  return changed;
}

/**
 * Takes an entry back for good from its document, which is gone: a draft, with its history, that no later reading of a
 * document of that name has to do with.
 */
export async function leaveDocument(app: App, entry: Entry, changedBy: string): Promise<Entry> {
  const source = { document: null, sourceSha256: null, sourceTitle: null, replacesId: null };
  const place = { batchId: null, chunkIndex: null };
  return changeEntry(app, entry, { ...source, ...place, status: 'draft' }, changedBy);
}

/** Whether an entry gets the visibility of the draft that replaces it: one that was chosen, and is narrower. */
export function closes(draft: Entry, entry: Entry): boolean {
  return !draft.visibilityDefaulted && isNarrower(draft.visibility, entry.visibility);
}
