import type { BatchReport } from '../../ingestion/review/get-report.js';
import { Checkbox, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { batchPath } from './batch-params.js';
import { openDrafts } from './queue.js';

/** Asks before all drafts are published unread, and what is no longer in the document is deleted. */
export function ApproveAsk({ report }: { report: BatchReport }) {
  const { say, format, at } = useShown();
  const words = say.documents.approve;
  const { batch, drafts, gone } = report;
  const open = openDrafts(drafts);
  const takenBack = open.filter((one) => one.takenBack).length;
  const count = open.length - takenBack;
  const goneCount = format.number(gone.length);
  return (
    <section class="panel ask" aria-labelledby="ask">
      <h2 id="ask" tabIndex={-1} data-focus>
        {count === 0 ? words.goneTitle(goneCount) : words.title(format.number(count))}
      </h2>
      <Form action="approve" to={`${batchPath(batch.id)}?ask=approve`}>
        <input type="hidden" name="count" value={count} />
        {count === 0 ? null : <p>{words.what}</p>}
        {takenBack === 0 ? null : <p>{words.takenBack(format.number(takenBack))}</p>}
        {gone.length === 0 || count === 0 ? null : (
          <Checkbox of="approve" name="delete_gone" checked={false} label={words.gone(goneCount)} />
        )}
        {gone.length === 0 ? null : (
          <p class="hint">
            <a href="#gone">{say.documents.batch.gone}</a>
          </p>
        )}
        {count === 0 ? <input type="hidden" name="delete_gone" value="on" /> : null}
        <div class="buttons">
          {count === 0 ? (
            <button class="danger">{say.labels.delete}</button>
          ) : (
            <button class="main">{words.button(format.number(count))}</button>
          )}
          <a class="button" href={at(batchPath(batch.id))}>
            {say.labels.cancel}
          </a>
        </div>
      </Form>
    </section>
  );
}

/** Asks before a batch is deleted. */
export function DeleteAsk({ report }: { report: BatchReport }) {
  const { say, format, at } = useShown();
  const words = say.documents;
  const { batch, drafts } = report;
  return (
    <section class="panel ask" aria-labelledby="ask">
      <h2 id="ask" tabIndex={-1} data-focus>
        {words.remove.title}
      </h2>
      <Form action="delete" to={`${batchPath(batch.id)}?ask=delete`}>
        <p>{words.remove.what(format.number(openDrafts(drafts).length))}</p>
        <div class="buttons">
          <button class="danger">{say.labels.delete}</button>
          <a class="button" href={at(batchPath(batch.id))}>
            {say.labels.cancel}
          </a>
        </div>
      </Form>
    </section>
  );
}
