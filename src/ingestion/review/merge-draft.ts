import { isNarrower, nameOf, requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { closes, moveInDocument } from '../../knowledge/document-entries.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import {
  changeEntry,
  removeEntries,
  recordEntry,
  storeTexts,
  withLanguage,
} from '../../knowledge/store-entries.js';
import type { AnalysedTexts } from '../../search/passages/analyse-texts.js';
import { addGone } from '../batches/findings.repository.js';
import { findReshaping, storeReshaping } from '../batches/reshaped.repository.js';
import { joinTexts } from './draft-texts.js';
import {
  findNextDraft,
  openDraft,
  placeAfter,
  type NamedDraft,
  type OpenDraft,
} from './open-draft.js';
import { undoSplit } from './undo-reshaping.js';

export interface Merged {
  entry: Entry;
  /** The entry whose next version was the second draft, when the first was one too: it is reported as gone. */
  gone: Entry | undefined;
}

/**
 * Takes the next open draft of the batch into this one: its text, its pages, its section, and the entry that it replaces.
 * The title and the place stay those of this draft, and the narrower visibility of both applies. If both replace an
 * entry, the second entry is reported as gone. Parts of a split draft that nobody has changed since become the draft that
 * they were. Refuses as openDraft does, and with `conflict` when there is no next draft or it is not `next`.
 */
export async function mergeDraft(
  app: App,
  actor: Actor,
  input: NamedDraft & { next?: number | undefined },
): Promise<Merged> {
  const member = requirePermission(actor, 'knowledge.write');
  const open = async (app: App) => {
    const draft = await openDraft(app, member, input);
    return { draft, next: await nextOf(app, draft, input.next) };
  };
  const store = async (app: App, analysed: AnalysedTexts) => {
    const { draft, next } = await open(app);
    const { entry, batch } = draft;
    const last = await findReshaping(app, batch.id, entry.id);
    const isWhole =
      last?.otherId === next.id &&
      last.otherVersion === next.version &&
      last.version === entry.version;
    if (isWhole) {
      return { entry: await undoSplit(app, member, entry, next, last), gone: undefined };
    }
    await placeAfter(app, draft);
    const { replaces, gone } = await replacedBy(app, entry, next);
    const change = { ...textOf(entry, next), edited: true, ...tierOf(entry, next, replaces) };
    await removeEntries(app, [next.id]);
    const changed = await changeEntry(app, entry, change, nameOf(member), analysed);
    const source = sourceOf(entry, next, replaces[0]?.id ?? null);
    await moveInDocument(app, changed, source);
    const merged = { ...changed, ...source };
    if (gone !== undefined) await addGone(app, batch.id, gone.id);
    const done = { kind: 'merge', from: [entry, next], to: [merged], gone } as const;
    await storeReshaping(app, batch.id, done);
    await recordEntry(app, member, 'merge', { before: entry, after: merged });
    await recordEntry(app, member, 'merge', { before: next });
    return { entry: merged, gone };
  };
  const expected = async () => {
    const { draft, next } = await open(app);
    return [textOf(draft.entry, next)];
  };
  return storeTexts(app, member.organizationId, expected, store);
}

async function nextOf(app: App, draft: OpenDraft, wanted: number | undefined): Promise<Entry> {
  const next = await findNextDraft(app, draft);
  if (next === undefined) {
    const sentence = 'It is the last open draft of its batch: there is none to merge it with.';
    throw new AppError('conflict', sentence);
  }
  if (wanted === undefined || wanted === next.id) return next;
  throw new AppError(
    'conflict',
    `Nothing was merged: the next open draft is ${next.id} now, not ${wanted}. Look at it first.`,
  );
}

function textOf(entry: Entry, next: Entry) {
  return withLanguage({ title: entry.title, content: joinTexts(entry, next) });
}

/** The entry that the merged draft replaces comes first, and then those that only set its tier. */
async function replacedBy(
  app: App,
  entry: Entry,
  next: Entry,
): Promise<{ replaces: Entry[]; gone: Entry | undefined }> {
  const ids = [entry.replacesId, next.replacesId].filter((id) => id !== null);
  const found = await findEntriesById(app, ids);
  const replaces = ids.flatMap((id) => found.find((one) => one.id === id) ?? []);
  const [, other] = replaces;
  return { replaces, gone: other?.wasPublished === true ? other : undefined };
}

/** The narrower visibility of what both drafts would have become. */
function tierOf(
  entry: Entry,
  next: Entry,
  replaces: readonly Entry[],
): Pick<Entry, 'visibility' | 'visibilityDefaulted'> {
  const [one, other] = [entry, next].map((draft) => {
    const replaced = replaces.find(({ id }) => id === draft.replacesId);
    return replaced === undefined || closes(draft, replaced)
      ? draft.visibility
      : replaced.visibility;
  });
  const { visibility: own, visibilityDefaulted: isDefaulted } = entry;
  const tier = one !== undefined && other !== undefined && isNarrower(other, one) ? other : one;
  const visibility = tier ?? own;
  const [replaced] = replaces;
  const isOpen = replaced === undefined || !isNarrower(visibility, replaced.visibility);
  return { visibility, visibilityDefaulted: isDefaulted && visibility === own && isOpen };
}

function sourceOf(entry: Entry, next: Entry, replacesId: number | null) {
  const pages = [entry.pageFrom, entry.pageTo, next.pageFrom, next.pageTo].filter(
    (page) => page !== null,
  );
  const [own, ...more] = new Set(
    [entry, next].flatMap(({ sourceSha256, mergedSha256s }) => [
      ...(sourceSha256 === null ? [] : [sourceSha256]),
      ...(mergedSha256s?.split(' ') ?? []),
    ]),
  );
  return {
    pageFrom: pages.length === 0 ? null : Math.min(...pages),
    pageTo: pages.length === 0 ? null : Math.max(...pages),
    sourceSha256: own ?? null,
    mergedSha256s: more.length === 0 ? null : more.join(' '),
    replacesId,
  };
}
