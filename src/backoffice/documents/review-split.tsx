import { cutPlaces } from '../../ingestion/review/draft-texts.js';
import type { ReviewedDraft } from '../../ingestion/review/read-review.js';
import { shorten } from '../../platform/text/shorten.js';
import { Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { reviewPath } from './review-path.js';

const of = 'split';

/** The form to cut a draft in two: it chooses the line that begins the second part. */
export function SplitForm({ batchId, draft }: { batchId: string; draft: ReviewedDraft }) {
  const { say, at } = useShown();
  const words = say.documents.reviewing;
  const { content, language } = draft.draft;
  const places = cutPlaces(content);
  const back = at(reviewPath(batchId, { draft: draft.id }));
  return (
    <section class="panel ask" aria-labelledby="split">
      <h2 id="split" tabIndex={-1} data-focus>
        {words.splitTitle}
      </h2>
      <Form action={of} to={reviewPath(batchId, { draft: draft.id, ask: 'split' })}>
        <input type="hidden" name="entry" value={draft.id} />
        <input type="hidden" name="version" value={draft.etag} />
        {places.length === 0 ? (
          <p>{words.splitNone}</p>
        ) : (
          <>
            <fieldset>
              <legend>{words.splitFrom}</legend>
              {places.map(({ position, line }, index) => (
                <label key={position} class="cut">
                  <input
                    type="radio"
                    name="position"
                    value={position}
                    required
                    defaultChecked={index === 0}
                  />{' '}
                  <span lang={language}>{shorten(line, 160)}</span>
                </label>
              ))}
            </fieldset>
            <Field
              of={of}
              name="second_title"
              label={words.splitSecond}
              hint={words.splitSecondHint}
            />
          </>
        )}
        <div class="buttons">
          {places.length === 0 ? null : <button class="main">{words.splitButton}</button>}
          <a class="button" href={back}>
            {say.labels.cancel}
          </a>
        </div>
      </Form>
    </section>
  );
}
