import type { ComponentChildren } from 'preact';
import { isDoubtful } from '../../ingestion/batches/batch.js';
import { pagesOf } from '../../ingestion/batches/batch.schema.js';
import type { BatchReport } from '../../ingestion/review/get-report.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { batchPath } from './batch-params.js';

/** Longer lists are cut: a file may have thousands. */
const mostListed = 50;

/** How many entries the document left unchanged, changed, added and lost. */
export function Difference({ report }: { report: BatchReport }) {
  const { say, format } = useShown();
  const words = say.documents.batch;
  const { diff } = report.batch;
  return (
    <section aria-labelledby="difference">
      <h2 id="difference">{words.difference}</h2>
      <dl class="figures">
        {(['unchanged', 'changed', 'new', 'gone'] as const).map((one) => (
          <div key={one}>
            <dt>{words.diff[one]}</dt>
            <dd>{format.number(diff[one])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The findings that a reviewer has to look at besides the drafts. */
export function Findings({ report }: { report: BatchReport }) {
  return (
    <>
      <NoteList report={report} />
      <Hidden report={report} />
      <Gone report={report} />
      <Edited report={report} />
    </>
  );
}

function NoteList({ report }: { report: BatchReport }) {
  const { say, format } = useShown();
  const words = say.documents.batch;
  const { batch, hiddenText } = report;
  const { fallbackChunks, droppedEntries, visibilityNarrowed, visibilityKept } = batch;
  const unchecked = hiddenText.filter(({ reason }) => reason === 'unchecked');
  const tier = batch.visibility === null ? '' : say.tiers[batch.visibility];
  const notes: ComponentChildren[] = [];
  if (batch.readBy === 'pdf-parse') notes.push(words.readAsPlainText);
  const recognized = batch.recognizedPages.map(({ page }) => page);
  if (recognized.length > 0) notes.push(withPages(words.recognized, recognized));
  const doubtful = batch.recognizedPages.filter(isDoubtful).map(({ page }) => page);
  if (doubtful.length > 0) notes.push(withPages(words.recognizedDoubtfully, doubtful));
  if (batch.pagesWithoutText.length > 0) {
    notes.push(withPages(words.withoutText, batch.pagesWithoutText));
  }
  if (unchecked.length > 0) {
    notes.push(withPages(words.unchecked, [...new Set(unchecked.map(({ page }) => page))]));
  }
  if (fallbackChunks > 0) notes.push(words.fallback(format.number(fallbackChunks)));
  if (droppedEntries > 0) notes.push(words.dropped(format.number(droppedEntries)));
  if (visibilityNarrowed > 0) notes.push(words.narrowed(format.number(visibilityNarrowed), tier));
  if (visibilityKept > 0) notes.push(words.kept(format.number(visibilityKept)));
  function withPages(sentence: string, pages: number[]) {
    return (
      <>
        {sentence} <PageLinks batchId={batch.id} pages={pages} />
      </>
    );
  }
  if (notes.length === 0) return null;
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">{words.notes}</h2>
      <ul>
        {notes.map((note, index) => (
          <li key={index}>{note}</li>
        ))}
      </ul>
    </section>
  );
}

function PageLinks({ batchId, pages }: { batchId: string; pages: number[] }) {
  const { say, format, at } = useShown();
  return (
    <>
      {pages.slice(0, mostListed).map((page, index) => (
        <>
          {index === 0 ? '' : ', '}
          <a
            href={at(`${batchPath(batchId)}/file#page=${page}`)}
            aria-label={say.labels.page(format.number(page))}
          >
            {format.number(page)}
          </a>
        </>
      ))}
      {pages.length > mostListed ? ' …' : null}
    </>
  );
}

function Hidden({ report }: { report: BatchReport }) {
  const { say, format } = useShown();
  const words = say.documents;
  const hidden = report.hiddenText.filter(({ reason }) => reason !== 'unchecked');
  if (hidden.length === 0) return null;
  const unchecked = report.hiddenText.length - hidden.length;
  const more = report.batch.hiddenTextTotal - unchecked - Math.min(hidden.length, mostListed);
  return (
    <section>
      <h2 id="hidden">{words.batch.hidden}</h2>
      <p class="hint">{words.batch.hiddenHint}</p>
      <Table
        caption={words.batch.hidden}
        columns={[words.batch.columns.pages, words.batch.why, say.labels.text]}
      >
        {hidden.slice(0, mostListed).map(({ page, reason, text }, index) => (
          <Row
            key={index}
            name={
              report.batch.kind === 'pdf' ? (
                <PageLinks batchId={report.batch.id} pages={[page]} />
              ) : (
                '–'
              )
            }
            cells={[words.hiddenReasons[reason], <span class="untrusted">{text}</span>]}
          />
        ))}
      </Table>
      {more > 0 ? <p class="hint">{words.batch.hiddenMore(format.number(more))}</p> : null}
    </section>
  );
}

function Gone({ report }: { report: BatchReport }) {
  const { say, format } = useShown();
  const words = say.documents.batch;
  const { gone } = report;
  if (gone.length === 0) return null;
  return (
    <section aria-labelledby="gone">
      <h2 id="gone">{words.gone}</h2>
      <p class="hint">{words.goneHint}</p>
      <ul>
        {gone.slice(0, mostListed).map((entry) => (
          <li key={entry.id}>
            {entry.title}{' '}
            {entry.pageFrom === null ? null : (
              <span class="hint">{say.labels.page(pagesOf(entry))}</span>
            )}
          </li>
        ))}
      </ul>
      {gone.length > mostListed ? (
        <p class="hint">{words.hiddenMore(format.number(gone.length - mostListed))}</p>
      ) : null}
    </section>
  );
}

function Edited({ report }: { report: BatchReport }) {
  const { say, at } = useShown();
  const words = say.documents.batch;
  const { editedDrafts } = report;
  if (editedDrafts.length === 0) return null;
  return (
    <section aria-labelledby="edited">
      <h2 id="edited">{words.edited}</h2>
      <p class="hint">{words.editedHint}</p>
      <ul>
        {editedDrafts.slice(0, mostListed).map(({ id, title, batchId }) => (
          <li key={id}>
            {batchId === null ? (
              title
            ) : (
              <a href={at(`${batchPath(batchId)}/review?draft=${id}`)}>{title}</a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
