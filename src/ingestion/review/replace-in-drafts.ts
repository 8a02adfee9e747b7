import { createHash } from 'node:crypto';
import { changeEach, type ChangedEach, type NamedVersion } from '../../knowledge/change-entries.js';
import { checkVersion, type Entry } from '../../knowledge/entry.js';
import { getEntry, listHistory } from '../../knowledge/read-entries.js';
import { changeEntry, recordEntry, storeTexts } from '../../knowledge/store-entries.js';
import { updateEntry } from '../../knowledge/update-entry.js';
import { nameOf, requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError, refusedField } from '../../platform/errors.js';
import { replaceInTexts, type Exchange } from './exchange-text.js';
import type { TitledText } from './draft-texts.js';
import { requireReviewable } from './open-draft.js';
import { findBatchEntries, getBareBatch } from './review-batch.js';

/** What a person wants to change in all drafts of a document, such as a running head that was taken for text. */
export interface Replacement extends Exchange {
  batchId: string;
}

export interface FoundDraft {
  entry: Entry;
  /** What it becomes. */
  after: TitledText;
}

/** The open drafts in which a text stands. */
export interface FoundText {
  /** In the order of the document. */
  found: FoundDraft[];
  /** How many drafts are open at all. */
  open: number;
  /** Names the drafts in their present versions: they are changed only as they were seen. */
  seen: string;
}

/**
 * Finds the open drafts of a batch in which a text stands. Errors: `not_found`; `invalid_request` without a text, or
 * with one that stays the same; `conflict` for a batch that is still being read or was read again.
 */
export async function findInDrafts(
  app: App,
  actor: Actor,
  { batchId, ...exchange }: Replacement,
): Promise<FoundText> {
  const member = requirePermission(actor, 'knowledge.write');
  const { find, replacement } = exchange;
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
    const after = replaceInTexts(entry, exchange);
    const isSame = after.title === entry.title && after.content === entry.content;
    return isSame ? [] : [{ entry, after }];
  });
  const versions = found.map(({ entry: { uuid, version } }) => `${uuid}:${version}`);
  const seen = createHash('sha256').update(versions.join('\n')).digest('hex');
  return { found, open: drafts.length, seen };
}

export interface Replaced extends ChangedEach {
  /** How many drafts are open at all. */
  open: number;
}

/**
 * Replaces a text in all open drafts of a batch, each by itself as an edit of a person. A draft that would have no title
 * or no text, or too long a one, is refused. Refuses as findInDrafts does, and with `conflict` where the drafts are not
 * as they were `seen`.
 */
export async function replaceInDrafts(
  app: App,
  actor: Actor,
  input: Replacement & { seen?: string | undefined },
): Promise<Replaced> {
  const { found, open, seen } = await findInDrafts(app, actor, input);
  if (input.seen !== undefined && input.seen !== seen) {
    const sentence = 'The drafts with this text have changed since. Look at them, and try again.';
    throw new AppError('conflict', sentence, { reason: { is: 'drafts_changed' } });
  }
  const wanted = found.map(({ entry: { uuid, version }, after }) => ({
    name: uuid,
    version,
    after,
  }));
  const done = await changeEach(app, actor, wanted, ({ name, after }, ifMatch) =>
    updateEntry(app, actor, name, { ...after, ifMatch }),
  );
  return { ...done, open };
}

/** Gives drafts the texts that they had before their last change, as far as nobody has changed them since. */
export async function putTextsBack(
  app: App,
  actor: Actor,
  drafts: readonly NamedVersion[],
): Promise<ChangedEach> {
  const member = requirePermission(actor, 'knowledge.write');
  return changeEach(app, actor, drafts, ({ name, version }, ifMatch) =>
    storeTexts(
      app,
      member.organizationId,
      () => Promise.resolve([]),
      async (app) => {
        const present = await getEntry(app, member, name);
        checkVersion(present, ifMatch);
        const { items } = await listHistory(app, member, { name, page: 1, limit: 1 });
        const [before] = items;
        if (before?.version !== version - 1) {
          throw new AppError('not_found', 'Its text of before is no longer kept.');
        }
        const { title, content, language, edited } = before;
        const change = { title, content, language, edited };
        const after = await changeEntry(app, present, change, nameOf(member));
        await recordEntry(app, member, 'update', { before: present, after });
        return after;
      },
    ),
  );
}
