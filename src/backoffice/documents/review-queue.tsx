import type { OutlinedDraft, Review } from '../../ingestion/review/read-review.js';
import { useShown } from '../layout/shown.js';
import { reviewPath } from './review-path.js';

/** How many drafts are listed before and after the present one: a batch may have thousands. */
const shown = { before: 15, after: 35 };

/** The drafts round the present one, each with what was decided. */
export function Queue({ review, chosen }: { review: Review; chosen: OutlinedDraft }) {
  const { say, format, at } = useShown();
  const words = say.documents.reviewing;
  const { batch, drafts } = review;
  const place = drafts.findIndex(({ id }) => id === chosen.id);
  const from = Math.max(0, place - shown.before);
  const listed = drafts.slice(from, place + shown.after + 1);
  const after = drafts.length - from - listed.length;
  return (
    <nav class="queue" aria-label={words.queue}>
      {from === 0 ? null : <p class="hint">{words.before(format.number(from))}</p>}
      <ol start={from + 1}>
        {listed.map(({ id, title, state }) => (
          <li key={id} class={state}>
            <a
              href={at(reviewPath(batch.id, { draft: id }))}
              aria-current={id === chosen.id ? 'true' : undefined}
            >
              {state === 'draft' ? null : (
                <span class="state">{say.documents.batch.draftStates[state]}:</span>
              )}{' '}
              {title}
            </a>
          </li>
        ))}
      </ol>
      {after === 0 ? null : <p class="hint">{words.after(format.number(after))}</p>}
    </nav>
  );
}
