import { nameActors } from '../../accounts/users/name-actors.js';
import type { Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { findEntriesById } from '../../knowledge/entries.repository.js';
import { countEntriesOfBatches } from '../../knowledge/entry-lists.repository.js';
import type { Entry } from '../../knowledge/entry.js';
import type { HiddenText } from '../../pdf/layout/page.js';
import { findApp } from '../../tenancy/sites.repository.js';
import { findGoneIds, findHiddenTexts } from '../batches/findings.repository.js';
import { getReview, type Review } from './read-review.js';
import { findEditedDrafts } from './review-batch.js';

/** The facts about a batch, without the texts of its drafts. */
export interface BatchReport extends Review {
  appName: string;
  /** The name of who uploaded it; undefined for the operator and for people who were deleted. */
  uploader: string | undefined;
  /** The number of its entries, unchanged ones too. */
  totalEntries: number;
  /** Entries whose text was no longer in the document when the batch read it. */
  gone: Entry[];
  hiddenText: HiddenText[];
  /** Drafts of earlier readings of the document that wait because a person edited them. */
  editedDrafts: Entry[];
}

/** The report on a batch. Errors: `not_found`. */
export async function getBatchReport(app: App, actor: Actor, id: string): Promise<BatchReport> {
  const review = await getReview(app, actor, id);
  const { batch } = review;
  const names = await nameActors(app, actor, [batch.createdBy]);
  return {
    ...review,
    appName: (await findApp(app, batch.appId))?.name ?? '',
    uploader: names.get(batch.createdBy),
    totalEntries: (await countEntriesOfBatches(app, [id])).get(id)?.entries ?? 0,
    gone: await findEntriesById(app, await findGoneIds(app, id)),
    hiddenText: await findHiddenTexts(app, id),
    editedDrafts: await findEditedDrafts(app, batch),
  };
}
