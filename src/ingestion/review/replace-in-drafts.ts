import { randomUUID } from 'node:crypto';
import { changeEach, type ChangedEach, type NamedEntry } from '../../knowledge/change-entries.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import { checkVersion, etagOf, type Entry } from '../../knowledge/entry.js';
import { findEntriesAfter, findOutlines } from '../../knowledge/entry-lists.repository.js';
import {
  changeEntry,
  recordEntry,
  storeTexts,
  withLanguage,
} from '../../knowledge/store-entries.js';
import { textOf } from '../../knowledge/update-entry.js';
import { nameOf, requirePermission, type Actor, type Member } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError, refusedField } from '../../platform/errors.js';
import type { Batch } from '../batches/batch.js';
import { storeReshaping, type DoneReplacement } from '../batches/reshaped.repository.js';
import type { TitledText } from './draft-texts.js';
import { isEmptied, replaceInTexts, type Exchange } from './exchange-text.js';
import { openDraft, requireReviewable } from './open-draft.js';
import { getBareBatch } from './review-batch.js';

/** What a person wants to change in all drafts of a document, such as a running head that was taken for text. */
export interface Replacement extends Exchange {
  batchId: string;
}

export interface FoundDraft extends Pick<Entry, 'id' | 'uuid' | 'version' | 'title' | 'language'> {
  /** Its title and text, and what they become; undefined beyond the first drafts. */
  texts: readonly [before: TitledText, after: TitledText] | undefined;
}

/** Drafts in the order of the document, of which only the first are named. */
export interface FoundDrafts {
  total: number;
  first: FoundDraft[];
}

/** Where a text stands in a document. */
export interface FoundText {
  /** The open drafts that can be changed. */
  changed: FoundDrafts;
  /** The open drafts of which nothing would be left. */
  emptied: FoundDrafts;
  /** How many drafts are open at all. */
  open: number;
  /** How many published entries of the document have the text. */
  published: number;
}

/** Entries that are read at a time, since each may be long. */
const slice = 50;

/**
 * Finds the open drafts of a batch in which a text stands: names the first `named`, and has the texts of the first
 * `shown`. Errors: `not_found`; `invalid_request` without a text, or with one that stays the same; `conflict` for a batch
 * that is still being read or was read again.
 */
export async function findInDrafts(
  app: App,
  actor: Actor,
  input: Replacement,
  { named, shown }: { named: number; shown: number },
): Promise<FoundText> {
  const { batch, open } = await openBatch(app, actor, input);
  const changed: FoundDrafts = { total: 0, first: [] };
  const emptied: FoundDrafts = { total: 0, first: [] };
  for (let start = 0; start < open.length; start += slice) {
    const ids = open.slice(start, start + slice);
    const entries = new Map((await findEntriesById(app, ids)).map((one) => [one.id, one]));
    for (const entry of ids.flatMap((id) => entries.get(id) ?? [])) {
      const after = replaceInTexts(entry, input);
      if (isSame(entry, after)) continue;
      const into = isEmptied(entry, after) ? emptied : changed;
      into.total += 1;
      if (into.first.length >= named) continue;
      const { id, uuid, version, title, content, language } = entry;
      const texts = into.first.length < shown ? ([{ title, content }, after] as const) : undefined;
      into.first.push({ id, uuid, version, title, language, texts });
    }
  }
  const published = await countPublished(app, batch, input);
  return { changed, emptied, open: open.length, published };
}

export interface Replaced extends ChangedEach, Pick<FoundText, 'open' | 'published'> {
  /** Names all of it for undoReplacement. */
  id: string;
}

/**
 * Replaces a text in the open drafts of a batch, or in those that are named, each by itself as an edit of a person. A
 * draft is refused when it would have no title, nothing but headings, or too long a text. Each can be undone by itself,
 * and all of them together. Refuses as findInDrafts does.
 */
export async function replaceInDrafts(
  app: App,
  actor: Actor,
  input: Replacement & { drafts?: readonly NamedEntry[] | undefined },
): Promise<Replaced> {
  const { member, batch, open } = await openBatch(app, actor, input);
  const id = randomUUID();
  const { find, replacement } = input;
  const wanted = input.drafts ?? open.map((one) => ({ name: String(one) }));
  const done = await changeEach(app, actor, wanted, async ({ name }, ifMatch, before) => {
    if (before.batchId !== batch.id || before.status !== 'draft')
      throw new AppError('not_found', `There is no open draft ${name} in this batch.`);
    checkVersion(before, ifMatch);
    const after = replaceInTexts(before, input);
    if (isSame(before, after)) return before;
    if (!isEmptied(before, after))
      return changeDraft(app, member, before, after, { id, find, replacement });
    const sentence = 'Nothing but its headings would be left. Reject the draft in the review.';
    throw new AppError('conflict', sentence, { reason: { is: 'left_empty' } });
  });
  const published = await countPublished(app, batch, input);
  return { ...done, id, open: open.length, published };
}

/** The batch, and the numbers of its open drafts in the order of the document. */
async function openBatch(app: App, actor: Actor, { batchId, find, replacement }: Replacement) {
  const member = requirePermission(actor, 'knowledge.write');
  if (find.trim() === '')
    throw refusedField('find', 'must not be empty', 'invalid_request', { is: 'empty' });
  if (find === replacement) {
    throw refusedField('replacement', 'must differ from the text', 'invalid_request', {
      is: 'same_text',
    });
  }
  const batch = await getBareBatch(app, member, batchId);
  requireReviewable(batch);
  const { organizationId } = member;
  const outlines = await findOutlines(app, { organizationId, batchId });
  const open = outlines.filter(({ status }) => status === 'draft').map(({ id }) => id);
  return { member, batch, open };
}

function changeDraft(
  app: App,
  member: Member,
  before: Entry,
  after: TitledText,
  replacement: DoneReplacement,
): Promise<Entry> {
  const text = withLanguage(textOf(before, after));
  const expected = () => Promise.resolve([text]);
  return storeTexts(app, member.organizationId, expected, async (app, analysed) => {
    const draft = { name: before.uuid, ifMatch: etagOf(before) };
    const { entry, batch } = await openDraft(app, member, draft);
    const change = { ...text, edited: true };
    const changed = await changeEntry(app, entry, change, nameOf(member), analysed);
    const done = { kind: 'replace', from: [entry], to: [changed], replacement } as const;
    await storeReshaping(app, batch.id, done);
    await recordEntry(app, member, 'update', { before: entry, after: changed });
    return changed;
  });
}

async function countPublished(
  app: App,
  { organizationId, document }: Batch,
  exchange: Exchange,
): Promise<number> {
  const filter = { organizationId, document, status: 'published' as const };
  let count = 0;
  let after = 0;
  for (;;) {
    const entries = await findEntriesAfter(app, filter, after, slice);
    count += entries.filter((entry) => !isSame(entry, replaceInTexts(entry, exchange))).length;
    const last = entries.at(-1);
    if (last === undefined) return count;
    after = last.id;
  }
}

function isSame(before: TitledText, after: TitledText): boolean {
  return before.title === after.title && before.content === after.content;
}
