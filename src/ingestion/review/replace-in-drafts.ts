import { changeEach, type ChangedEach, type NamedVersion } from '../../knowledge/change-entries.js';
import { checkVersion, type Entry } from '../../knowledge/entry.js';
import { listHistory } from '../../knowledge/read-entries.js';
import { updateEntry } from '../../knowledge/update-entry.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError, refusedField } from '../../platform/errors.js';

import { replaceInTexts, type TitledText } from './draft-texts.js';
import { requireReviewable } from './open-draft.js';
import { findBatchEntries, getBareBatch } from './review-batch.js';

/** What a person wants to change in all drafts of a document, such as a running head that was taken for text. */
export interface Replacement {
  batchId: string;
  /** Any number of lines, as they are written in the drafts, with the signs of Markdown. */
  find: string;
  /** Nothing takes the text out. */
  replacement: string;
}

export interface FoundDraft {
  entry: Entry;
  /** What it becomes. */
  after: TitledText;
}

/** The most drafts that are changed at once. */
export const mostReplaced = 1000;

/**
 * The open drafts of a batch in which a text stands, in the order of the document, and how many are open at all.
 * Errors: `not_found`; `invalid_request` without a text, or with one that stays the same; `conflict` for a batch that
 * is still being read or was read again.
 */
export async function findInDrafts(
  app: App,
  actor: Actor,
  { batchId, find, replacement }: Replacement,
): Promise<{ found: FoundDraft[]; open: number }> {
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
  const { entries } = await findBatchEntries(app, batch);
  const drafts = entries.filter(({ status }) => status === 'draft');
  const found = drafts.flatMap((entry) => {
    const after = replaceInTexts(entry, find, replacement);
    const isSame = after.title === entry.title && after.content === entry.content;
    return isSame ? [] : [{ entry, after }];
  });
  return { found, open: drafts.length };
}

export interface Replaced extends ChangedEach {
  /** How many drafts still have the text, beyond the most that are changed at once. */
  left: number;
}

/**
 * Replaces a text in all open drafts of a batch, each by itself as an edit of a person. A draft that would have no title
 * or no text is refused. Refuses as findInDrafts does, and with `conflict` where other than `told` drafts have it.
 */
export async function replaceInDrafts(
  app: App,
  actor: Actor,
  input: Replacement & { told?: number | undefined },
): Promise<Replaced> {
  const { found } = await findInDrafts(app, actor, input);
  const { told } = input;
  if (told !== undefined && told !== found.length) {
    const sentence = `By now ${found.length} drafts have this text, not ${told}. Look at them, and try again.`;
    throw new AppError('conflict', sentence, {
      reason: { is: 'other_drafts', now: found.length, told },
    });
  }
  const wanted = found
    .slice(0, mostReplaced)
    .map(({ entry: { uuid, version }, after }) => ({ name: uuid, version, after }));
  const done = await changeEach(app, actor, wanted, ({ name, after }, ifMatch) =>
    updateEntry(app, actor, name, { ...after, ifMatch }),
  );
  return { ...done, left: found.length - wanted.length };
}

/** Gives drafts the texts that they had before their last change, as far as nobody has changed them since. */
export async function putTextsBack(
  app: App,
  actor: Actor,
  drafts: readonly NamedVersion[],
): Promise<ChangedEach> {
  return changeEach(app, actor, drafts, async ({ name, version }, ifMatch, present) => {
    checkVersion(present, ifMatch);
    const { items } = await listHistory(app, actor, { name, page: 1, limit: 1 });
    const [before] = items;
    if (before?.version !== version - 1) {
      throw new AppError('not_found', 'Its text of before is no longer kept.');
    }
    const { title, content } = before;
    return updateEntry(app, actor, name, { title, content, ifMatch });
  });
}
