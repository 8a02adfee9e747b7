import { draftStates, type Review } from '../../ingestion/review/read-review.js';
import { useShown } from '../layout/shown.js';
import { batchPath } from './batch-params.js';
import { openDrafts } from './queue.js';
import { reviewPath, type Did } from './review-path.js';
import { LastDecision } from './review-view.js';

/** The end of a review: what was decided, and what is left. */
export function ReviewEnd({
  review,
  did,
  last,
}: {
  review: Review;
  did: Did | undefined;
  last: number | undefined;
}) {
  const { say, format, at } = useShown();
  const words = say.documents.reviewing;
  const { batch, drafts } = review;
  const [firstOpen] = openDrafts(drafts);
  const left = openDrafts(drafts).length;
  const sentence = left === 0 ? say.labels.allDecided : words.endLeft(format.number(left));
  return (
    <div data-review data-say={sentence}>
      <p class="crumbs">
        <a href={at('/documents')}>{say.documents.title}</a> ›{' '}
        <a href={at(batchPath(batch.id))}>{batch.fileName}</a>
      </p>
      {did === undefined ? null : <LastDecision batchId={batch.id} did={did} last={last} />}
      <h1 tabIndex={-1} data-heading>
        {left === 0 ? say.labels.allDecided : words.endTitle}
      </h1>
      {left === 0 ? null : <p>{sentence}</p>}
      <dl class="figures" aria-label={words.summary}>
        {draftStates.map((state) => (
          <div key={state}>
            <dt>{say.documents.batch.draftStates[state]}</dt>
            <dd>{format.number(drafts.filter((one) => one.state === state).length)}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        {firstOpen === undefined ? null : (
          <a class="button main" href={at(reviewPath(batch.id, { draft: firstOpen.id }))}>
            {words.goOn}
          </a>
        )}
        <a
          class={firstOpen === undefined ? 'button main' : 'button'}
          href={at(batchPath(batch.id))}
        >
          {words.toDocument}
        </a>
        <a class="button" href={at('/try')}>
          {words.tryQuestion}
        </a>
      </div>
    </div>
  );
}
