import { pagesOf } from '../../ingestion/batches/batch.schema.js';
import type { OutlinedDraft, Review, ReviewedDraft } from '../../ingestion/review/read-review.js';
import type { StoredSection } from '../../ingestion/batches/sections.repository.js';
import type { PageRequest } from '../page.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { batchPath } from './batch-params.js';
import { PagePanel } from './page-panel.js';
import { nextOpen, openDrafts, restFrom } from './queue.js';
import { DraftText } from './review-draft.js';
import { EditForm } from './review-edit.js';
import { KeysDialog } from './review-keys.js';
import { reviewPath, type Ask, type Did } from './review-path.js';
import { SourcePanel } from './source-panel.js';
import { SplitForm } from './review-split.js';
import { Queue } from './review-queue.js';

export interface ReviewProps {
  review: Review;
  chosen: OutlinedDraft;
  draft: ReviewedDraft;
  /** The text of the draft as people see it. */
  seen: string;
  ask: Ask | undefined;
  did: Did | undefined;
  last: number | undefined;
  /** What stands around the draft in a document without pages. */
  source: readonly StoredSection[];
  /** Where it stands on the web. */
  address: string | undefined;
  asset: PageRequest<unknown, unknown>['asset'];
}

/** A draft beside its source: pages of the PDF, or the text of any other document. The script exchanges the parts that `data-swap` names. */
export function ReviewView(props: ReviewProps) {
  const { say, signedIn, at } = useShown();
  const words = say.documents;
  const { review, chosen, asset } = props;
  const { batch } = review;
  const hasKeys = signedIn?.preferences.shortcuts === true;
  return (
    <div class="review" data-review data-shortcuts={hasKeys ? 'on' : 'off'}>
      <header>
        <p class="crumbs">
          <a href={at('/documents')}>{words.title}</a> ›{' '}
          <a href={at(batchPath(batch.id))}>{batch.fileName}</a>
        </p>
        <KeysDialog isOn={hasKeys} batchId={batch.id} entry={chosen.id} />
      </header>
      <p class="unseen" role="status" data-live />
      <div class="review-parts">
        <div data-swap="draft">
          <Draft {...props} />
        </div>
        {batch.kind === 'pdf' ? (
          <PagePanel batchId={batch.id} chosen={chosen} next={nextDraft(props)} asset={asset} />
        ) : (
          <SourcePanel
            batchId={batch.id}
            address={props.address}
            chosen={chosen}
            source={props.source}
          />
        )}
        <div data-swap="queue">
          <Queue review={review} chosen={chosen} />
        </div>
      </div>
    </div>
  );
}

/** The open draft that comes after the present one. */
function nextDraft({ review: { drafts }, chosen }: ReviewProps) {
  const after = drafts.slice(drafts.findIndex(({ id }) => id === chosen.id));
  return nextOpen(after, chosen.id);
}

function Draft({ review, chosen, draft, seen, ask, did, last }: ReviewProps) {
  const { say, format, fault } = useShown();
  const words = say.documents.reviewing;
  const { drafts } = review;
  const at = format.number(drafts.findIndex(({ id }) => id === chosen.id) + 1);
  const all = format.number(drafts.length);
  const sentence = did === undefined ? '' : `${words.did[did]} `;
  return (
    <article data-say={sentence + words.placed(at, all, pagesOf(draft.draft))}>
      {did === undefined ? null : <LastDecision batchId={review.batch.id} did={did} last={last} />}
      <p class="hint">{words.place(at, all)}</p>
      <h1 id="draft" tabIndex={-1} {...(fault === undefined ? { 'data-heading': true } : {})}>
        {draft.draft.title}
      </h1>
      {ask === 'edit' && draft.state === 'draft' ? (
        <EditForm batchId={review.batch.id} draft={draft} />
      ) : (
        <>
          <Decide review={review} chosen={chosen} draft={draft} ask={ask} />
          <DraftText batchId={review.batch.id} draft={draft} seen={seen} />
        </>
      )}
    </article>
  );
}

/** Says what was decided just before, and offers to take it back. */
export function LastDecision({
  batchId,
  did,
  last,
}: {
  batchId: string;
  did: Did;
  last: number | undefined;
}) {
  const { say } = useShown();
  const words = say.documents.reviewing;
  return (
    <div class="done last">
      <span>{words.did[did]}</span>
      {last === undefined ? null : (
        <Form action="takeBack" to={reviewPath(batchId, { draft: last })}>
          <input type="hidden" name="entry" value={last} />
          <button class="quiet" data-keys="t u">
            {say.labels.undo}
          </button>
        </Form>
      )}
    </div>
  );
}

function Decide({
  review,
  chosen,
  draft,
  ask,
}: Pick<ReviewProps, 'review' | 'chosen' | 'draft' | 'ask'>) {
  const { say, at } = useShown();
  const words = say.documents.reviewing;
  const { batch, drafts } = review;
  const place = reviewPath(batch.id, { draft: chosen.id });
  const index = drafts.findIndex(({ id }) => id === chosen.id);
  const before = drafts[index - 1];
  const next = nextOpen(drafts.slice(index), chosen.id)?.id ?? ('end' as const);
  const rest = restFrom(drafts, chosen.id).length;
  return (
    <section class="decide" aria-label={words.decide}>
      {draft.state === 'draft' ? (
        <>
          <DecisionForm action="accept" place={place} draft={draft} keys="a" text={words.accept} />
          <a
            class="button"
            href={at(reviewPath(batch.id, { draft: chosen.id, ask: 'edit' }))}
            data-keys="e"
          >
            {say.labels.edit}
          </a>
          <DecisionForm action="reject" place={place} draft={draft} keys="r" text={words.reject} />
        </>
      ) : null}
      {draft.state === 'draft' ? <Reshape review={review} chosen={chosen} draft={draft} /> : null}
      {draft.state === 'rejected' || draft.mayBeTakenBack ? (
        <DecisionForm
          action="takeBack"
          place={place}
          draft={draft}
          keys="t u"
          text={words.takeBack}
        />
      ) : null}
      <span class="steps">
        {before === undefined ? null : (
          <a class="button" href={at(reviewPath(batch.id, { draft: before.id }))} data-keys="k b">
            {words.back}
          </a>
        )}
        <a class="button" href={at(reviewPath(batch.id, { draft: next }))} data-keys="j s">
          {words.next}
        </a>
        {rest < 2 || ask === 'rest' ? null : (
          <a
            class="button"
            href={at(reviewPath(batch.id, { draft: chosen.id, ask: 'rest' }))}
            data-keys="l"
          >
            {words.rest}
          </a>
        )}
      </span>
      {ask === 'split' && draft.state === 'draft' ? (
        <SplitForm batchId={batch.id} draft={draft} />
      ) : null}
      {ask === 'rest' && rest > 0 ? <RestAsk review={review} chosen={chosen} rest={rest} /> : null}
    </section>
  );
}

/** Merges the draft with the next open one, splits it, or undoes that. A document that is still read keeps its drafts. */
function Reshape({ review, chosen, draft }: Pick<ReviewProps, 'review' | 'chosen' | 'draft'>) {
  const { say, at } = useShown();
  const words = say.documents.reviewing;
  const { batch, drafts } = review;
  if (batch.status !== 'completed' || batch.supersededBy !== null) return null;
  const place = reviewPath(batch.id, { draft: chosen.id });
  const index = drafts.findIndex(({ id }) => id === chosen.id);
  const [next] = openDrafts(drafts.slice(index + 1));
  const { undoable } = draft;
  return (
    <>
      {next === undefined ? null : (
        <Form action="merge" to={place}>
          <input type="hidden" name="entry" value={draft.id} />
          <input type="hidden" name="version" value={draft.etag} />
          <input type="hidden" name="next" value={next.id} />
          <button data-keys="m" title={words.mergeWith(next.title)}>
            {words.merge}
          </button>
        </Form>
      )}
      <a
        class="button"
        href={at(reviewPath(batch.id, { draft: chosen.id, ask: 'split' }))}
        data-keys="x"
      >
        {words.split}
      </a>
      <a
        class="button"
        href={at(`${batchPath(batch.id)}/replace?draft=${chosen.id}`)}
        data-keys="c"
        data-selected="find"
      >
        {words.replace}
      </a>
      {undoable === undefined ? null : (
        <DecisionForm
          action="undo"
          place={place}
          draft={draft}
          keys="t u"
          text={words.undoReshaping[undoable]}
        />
      )}
    </>
  );
}

function DecisionForm({
  action,
  place,
  draft,
  keys,
  text,
}: {
  action: string;
  place: string;
  draft: ReviewedDraft;
  keys: string;
  text: string;
}) {
  return (
    <Form action={action} to={place}>
      <input type="hidden" name="entry" value={draft.id} />
      {draft.etag === undefined ? null : <input type="hidden" name="version" value={draft.etag} />}
      <button class={action === 'accept' ? 'main' : ''} data-keys={keys}>
        {text}
      </button>
    </Form>
  );
}

function RestAsk({
  review,
  chosen,
  rest,
}: Pick<ReviewProps, 'review' | 'chosen'> & { rest: number }) {
  const { say, format, at } = useShown();
  const words = say.documents;
  const { batch } = review;
  return (
    <div class="panel ask">
      <h2 tabIndex={-1} data-focus>
        {words.reviewing.restTitle(format.number(rest))}
      </h2>
      <Form action="acceptRest" to={reviewPath(batch.id, { draft: chosen.id, ask: 'rest' })}>
        <input type="hidden" name="from" value={chosen.id} />
        <input type="hidden" name="count" value={rest} />
        <p>{words.approve.what}</p>
        <div class="buttons">
          <button class="main">{words.approve.button(format.number(rest))}</button>
          <a class="button" href={at(reviewPath(batch.id, { draft: chosen.id }))}>
            {say.labels.cancel}
          </a>
        </div>
      </Form>
    </div>
  );
}
