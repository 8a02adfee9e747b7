import { z } from 'zod';
import { setPreferences } from '../../accounts/users/preferences.js';
import { approveBatch } from '../../ingestion/review/approve-batch.js';
import {
  acceptDraft,
  rejectDraft,
  takeBackApproval,
  takeBackRejection,
} from '../../ingestion/review/decide-draft.js';
import { mergeDraft } from '../../ingestion/review/merge-draft.js';
import { findSourceOf, getReview, getReviewedDraft } from '../../ingestion/review/read-review.js';
import { splitDraft } from '../../ingestion/review/split-draft.js';
import { undoReshaping } from '../../ingestion/review/undo-reshaping.js';
import { addressOfText } from '../../knowledge/address-of-text.js';
import { etagOf, longestTitle } from '../../knowledge/entry.js';
import { updateEntry } from '../../knowledge/update-entry.js';
import { visibilities, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import { AppError } from '../../platform/errors.js';
import { action, page, type Redirect } from '../page.js';
import { withEntryLinks } from '../layout/entry-links.js';
import { batchParams } from './batch-params.js';
import { nextOpen, openDrafts, requireCount, restFrom } from './queue.js';
import { asks, dids, reviewPath, type Did } from './review-path.js';
import { ReviewEnd } from './review-end.js';
import { ReviewView } from './review-view.js';

const number = z.coerce.number().int().min(1);
/** The draft that a form decides about, and the version of it that was read. */
const decided = { entry: number, version: z.string().max(40) };

export const reviewPage = page({
  path: '/documents/:id/review',
  access: 'knowledge.write',
  params: batchParams,
  query: z.object({
    draft: z
      .union([z.literal('end'), number])
      .optional()
      .catch(undefined),
    ask: z.enum(asks).optional().catch(undefined),
    did: z.enum(dids).optional().catch(undefined),
    last: number.optional().catch(undefined),
  }),
  async show(app, { actor, params, query, say, fault, asset }) {
    const shown = query.draft === 'end' ? undefined : query.draft;
    const review = await getReview(app, actor, params.id, shown);
    const { batch, drafts } = review;
    const title = say.documents.reviewing.title(batch.fileName);
    const named = drafts.find(({ id }) => id === shown);
    const chosen = query.draft === 'end' ? undefined : (named ?? openDrafts(drafts)[0]);
    const common = { review, did: query.did, last: query.last };
    if (chosen === undefined) {
      return { title, section: '/documents', body: <ReviewEnd {...common} /> };
    }
    const draft = await getReviewedDraft(app, actor, { batchId: batch.id, entryId: chosen.id });
    const { document, sourceUrl } = batch;
    const linked = <T,>(text: T) => ({ ...text, document, sourceUrl });
    const [seen] = await withEntryLinks(app, actor, [linked(draft.draft)]);
    const around = await findSourceOf(app, batch, chosen);
    const source = await withEntryLinks(app, actor, around.map(linked));
    const own = around.find(({ position }) => position === chosen.chunkIndex);
    const place = { id: chosen.id, sourceUrl, sourceAnchor: own?.anchor ?? null, pageFrom: null };
    const address = await addressOfText(app, place, own?.content ?? '');
    const refused = fault?.action === 'save' ? 'edit' : fault?.action;
    const ask = refused === 'edit' || refused === 'split' ? refused : query.ask;
    return {
      title,
      section: '/documents',
      body: (
        <ReviewView
          {...common}
          chosen={chosen}
          draft={draft}
          seen={seen?.content ?? ''}
          source={source}
          address={address}
          ask={ask}
          asset={asset}
        />
      ),
    };
  },
  actions: {
    accept: action({
      form: z.object(decided),
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        const go = await goOn(app, actor, { batchId, entryId: form.entry });
        await acceptDraft(app, actor, { batchId, entryId: form.entry, ifMatch: form.version });
        return go('accepted');
      },
    }),
    reject: action({
      form: z.object(decided),
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        const go = await goOn(app, actor, { batchId, entryId: form.entry });
        await rejectDraft(app, actor, { batchId, entryId: form.entry, ifMatch: form.version });
        return go('rejected');
      },
    }),
    takeBack: action({
      form: z.object({ entry: number, version: decided.version.optional() }),
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        const { entry: entryId, version } = form;
        const { state, etag, mayBeTakenBack } = await getReviewedDraft(app, actor, {
          batchId,
          entryId,
        });
        if (state === 'draft') return { to: reviewPath(batchId, { draft: entryId }) };
        if (state === 'accepted' && !mayBeTakenBack) {
          const sentence = 'Its text has replaced an older one. Edit the entry instead.';
          throw new AppError('conflict', sentence, { reason: { is: 'text_replaced' } });
        }
        const restored =
          state === 'rejected'
            ? await takeBackRejection(app, actor, { batchId, entryId })
            : await takeBackApproval(app, actor, {
                batchId,
                entryId,
                ifMatch: version ?? etag ?? '',
              });
        return { to: reviewPath(batchId, { draft: restored.id, did: 'takenBack' }) };
      },
    }),
    save: action({
      form: z.object({
        ...decided,
        title: z.string(),
        content: z.string(),
        domain: z.string().trim().max(255).optional(),
        url_pattern: z.string().trim().max(1000).optional(),
        visibility: z.union([z.enum(visibilities), z.literal('').transform(() => null)]),
        then: z.literal('accept').optional(),
      }),
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        const { entry: entryId, version: ifMatch, then, domain, urlPattern, ...change } = form;
        const go = await goOn(app, actor, { batchId, entryId });
        // Refuses an entry of another batch.
        await getReviewedDraft(app, actor, { batchId, entryId });
        const saved = await updateEntry(app, actor, String(entryId), {
          ...change,
          ifMatch,
          domain: domain === '' ? null : domain,
          urlPattern: urlPattern === '' ? null : urlPattern,
        });
        if (then === undefined) {
          return { to: reviewPath(batchId, { draft: entryId, did: 'saved' }) };
        }
        await acceptDraft(app, actor, { batchId, entryId, ifMatch: etagOf(saved) });
        return go('accepted');
      },
    }),
    merge: action({
      form: z.object({ ...decided, next: number }),
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        const { entry: entryId, version: ifMatch, next } = form;
        await mergeDraft(app, actor, { name: String(entryId), batchId, ifMatch, next });
        return { to: reviewPath(batchId, { draft: entryId, did: 'merged' }) };
      },
    }),
    split: action({
      form: z.object({
        ...decided,
        position: z.coerce.number().int().min(0),
        second_title: z.string().max(longestTitle).optional(),
      }),
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        const { entry: entryId, version: ifMatch, position, secondTitle: title } = form;
        const draft = { name: String(entryId), batchId, ifMatch };
        await splitDraft(app, actor, { ...draft, position, title });
        return { to: reviewPath(batchId, { draft: entryId, did: 'split' }) };
      },
    }),
    undo: action({
      form: z.object(decided),
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        const { entry: entryId, version: ifMatch } = form;
        await undoReshaping(app, actor, { name: String(entryId), batchId, ifMatch });
        return { to: reviewPath(batchId, { draft: entryId, did: 'reshapingUndone' }) };
      },
    }),
    keys: action({
      form: z.object({ entry: number, shortcuts: z.enum(['on', 'off']) }),
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        await setPreferences(app, actor, { shortcuts: form.shortcuts === 'on' });
        return { to: reviewPath(batchId, { draft: form.entry }), done: 'saved' };
      },
    }),
    acceptRest: action({
      form: z.object({ from: number, count: z.coerce.number().int().min(1) }),
      async act(app, { actor, params, form }) {
        const { id: batchId } = batchParams.parse(params);
        const { drafts } = await getReview(app, actor, batchId);
        const entryIds = restFrom(drafts, form.from).map(({ id }) => id);
        requireCount(entryIds.length, form.count);
        await approveBatch(app, actor, { batchId, entryIds });
        return { to: reviewPath(batchId, { draft: 'end', did: 'acceptedRest' }) };
      },
    }),
  },
});

/** Finds out, before a decision, which draft is shown after it. */
async function goOn(
  app: App,
  actor: Actor,
  { batchId, entryId }: { batchId: string; entryId: number },
): Promise<(did: Did) => Redirect> {
  const { drafts } = await getReview(app, actor, batchId);
  const next = nextOpen(drafts, entryId)?.id ?? ('end' as const);
  const decided = drafts.find(({ id }) => id === entryId);
  return (did) => {
    // A text that was put into an older entry can't be taken back from here.
    const last = did === 'accepted' && decided?.replacesId !== null ? undefined : entryId;
    return { to: reviewPath(batchId, { draft: next, did, last }) };
  };
}
