import type { ReviewedDraft } from '../../ingestion/review/read-review.js';
import { visibilities } from '../../platform/actor.js';
import { Differences } from '../layout/difference.js';
import { Choice, Field, Form, Notes, useField } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { reviewPath } from './review-path.js';

const of = 'save';

/** The form to edit a draft. When somebody else changed it meanwhile, their text stands beside it. */
export function EditForm({ batchId, draft }: { batchId: string; draft: ReviewedDraft }) {
  const { say, fault, at } = useShown();
  const words = say.documents.reviewing;
  const { title, content, domain, urlPattern, visibility, visibilityDefaulted } = draft.draft;
  const isConflict = fault?.code === 'precondition_failed';
  // Who saw the conflict may save over the present version. Another fault must not hide that there is a newer one.
  const version = isConflict ? draft.etag : (fault?.values['version'] ?? draft.etag);
  const back = at(reviewPath(batchId, { draft: draft.id }));
  return (
    <>
      {isConflict ? <Conflict draft={draft} /> : null}
      <Form
        action={of}
        to={reviewPath(batchId, { draft: draft.id, ask: 'edit' })}
        data-keep={`draft ${draft.id}`}
      >
        <p class="hint" role="status" data-restored={words.restored} />
        <input type="hidden" name="entry" value={draft.id} />
        <input type="hidden" name="version" value={version} />
        <Field of={of} name="title" label={say.labels.title} value={title} required />
        <LongText name="content" label={say.labels.text} value={content} />
        {draft.replaced === undefined ? (
          <div class="columns">
            <Field
              of={of}
              name="domain"
              label={say.labels.domain}
              value={domain ?? ''}
              hint={words.fieldDomainHint}
            />
            <Field
              of={of}
              name="url_pattern"
              label={words.fieldPattern}
              value={urlPattern ?? ''}
              hint={words.fieldPatternHint}
            />
          </div>
        ) : (
          <p class="hint">{words.keepsPlace}</p>
        )}
        <Choice
          of={of}
          name="visibility"
          label={say.labels.whoMaySee}
          value={visibilityDefaulted ? '' : visibility}
          options={[
            ['', say.documents.upload.visibilityDefault],
            ...visibilities.map((one) => [one, say.tiers[one]] as const),
          ]}
        />
        <div class="buttons">
          <button class="main">{isConflict ? words.saveOver : say.labels.save}</button>
          {isConflict ? null : (
            <button name="then" value="accept">
              {words.saveAndAccept}
            </button>
          )}
          <a class="button" href={back} data-forget={`draft ${draft.id}`}>
            {isConflict ? words.dropMine : say.labels.cancel}
          </a>
        </div>
      </Form>
    </>
  );
}

function Conflict({ draft }: { draft: ReviewedDraft }) {
  const { say, fault } = useShown();
  const words = say.documents.reviewing;
  const { title, content } = draft.draft;
  return (
    <section class="note" aria-labelledby="conflict">
      <h2 id="conflict">{words.conflictNow}</h2>
      <p>{words.conflict}</p>
      <Differences
        texts={[
          [title, fault?.values['title'] ?? ''],
          [content, fault?.values['content'] ?? ''],
        ]}
      />
    </section>
  );
}

function LongText({ name, label, value }: { name: string; label: string; value: string }) {
  const { id, problem, typed, described } = useField(of, name, undefined);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Notes id={id} hint={undefined} problem={problem} />
      <textarea
        id={id}
        name={name}
        rows={18}
        required
        aria-describedby={described}
        aria-invalid={problem === undefined ? undefined : 'true'}
        value={typed ?? value}
      />
    </div>
  );
}
