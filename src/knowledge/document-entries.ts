import { isNarrower } from '../platform/actor.js';
import type { App } from '../platform/app.js';
import { updatePages } from '../search/passages/passages.repository.js';
import { updateSource, withoutDocument } from './entries.repository.js';
import type { Entry, EntrySource } from './entry.js';
import { changeEntry, removeEntries } from './store-entries.js';

// Changes of entries when a document is read again. All functions run inside the caller's transaction.

/** Updates the position of an entry in its document. Its text and version stay. */
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
 * Moves a draft's text into the entry that it replaces, as that entry's next published version, and deletes the draft.
 * The entry keeps its ids, history and place, so that links, citations and feedback still refer to it. If somebody
 * chose a visibility for the draft, the narrower of both applies; otherwise the entry keeps its own. So new text never
 * widens a visibility that a person restricted.
 */
export async function replaceEntry(
  app: App,
  entry: Entry,
  draft: Entry,
  changedBy: string,
): Promise<Entry> {
  const { title, content, language, batchId, chunkIndex, pageFrom, pageTo } = draft;
  const { sourceUrl, sourceAnchor, sourceAnchors, sourceSha256, sourceTitle } = draft;
  const { mergedSha256s, sourcePart, edited } = draft;
  const change = {
    title,
    content,
    language,
    batchId,
    chunkIndex,
    pageFrom,
    pageTo,
    sourceUrl,
    sourceAnchor,
    sourceAnchors,
    sourceSha256,
    sourceTitle,
    mergedSha256s,
    sourcePart,
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
 * Detaches an entry from its deleted document: it becomes a draft with its history, and later readings of a document of
 * that name do not affect it.
 */
export async function leaveDocument(app: App, entry: Entry, changedBy: string): Promise<Entry> {
  const place = { batchId: null, chunkIndex: null };
  return changeEntry(app, entry, { ...withoutDocument, ...place, status: 'draft' }, changedBy);
}

/** True when an entry takes the visibility of the draft that replaces it: a chosen, narrower one. */
export function closes(draft: Entry, entry: Entry): boolean {
  return !draft.visibilityDefaulted && isNarrower(draft.visibility, entry.visibility);
}
