import type { ComponentChildren } from 'preact';
import type { BatchReport } from '../../ingestion/review/get-report.js';
import type { DraftState } from '../../ingestion/review/read-review.js';
import { addressOfPlace } from '../../knowledge/entry.js';
import { Form } from '../layout/form.js';
import { Refusal } from '../layout/refusal.js';
import { queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';
import { batchPath } from './batch-params.js';
import { ApproveAsk, DeleteAsk } from './batch-asks.js';
import { DraftList } from './batch-drafts.js';
import { Difference, Findings } from './batch-findings.js';
import { State, Uploader } from './documents.js';
import { openDrafts } from './queue.js';

export interface BatchViewProps {
  report: BatchReport;
  query: {
    ask?: 'approve' | 'delete' | undefined;
    state?: DraftState | undefined;
    after?: number | undefined;
  };
}

/** The page of one batch: its state, what was found, and its drafts. */
export function BatchView({ report, query }: BatchViewProps) {
  const { say, at } = useShown();
  const { batch } = report;
  const words = say.documents;
  const { unchanged, changed, gone } = batch.diff;
  const isNewVersion = batch.status === 'completed' && unchanged + changed + gone > 0;
  return (
    <>
      <p class="crumbs">
        <a href={at('/documents')}>{words.title}</a>
      </p>
      <h1>{batch.fileName}</h1>
      {query.ask === 'approve' ? <ApproveAsk report={report} /> : null}
      {query.ask === 'delete' ? <DeleteAsk report={report} /> : null}
      <Facts report={report} />
      {batch.status === 'processing' ? <Progress report={report} /> : null}
      {batch.error === null ? null : <Failure report={report} />}
      {batch.supersededBy === null ? null : (
        <p class="note">
          {words.batch.supersededBy}{' '}
          <a href={at(batchPath(batch.supersededBy))}>{words.batch.later}</a>
        </p>
      )}
      {query.ask === undefined ? <Steps report={report} /> : null}
      {isNewVersion ? <Difference report={report} /> : null}
      <Findings report={report} />
      <DraftList report={report} query={query} />
    </>
  );
}

function Facts({ report }: { report: BatchReport }) {
  const { say, format, at } = useShown();
  const words = say.documents.batch;
  const { batch, appName } = report;
  const { visibility, sourceUrl } = batch;
  const address = addressOfPlace({ sourceUrl, sourceAnchor: null, pageFrom: null });
  const megabytes = format.number(Math.max(0.1, Math.round(batch.fileSize / 104_857.6) / 10));
  return (
    <dl class="facts" aria-label={words.facts}>
      <Fact term={say.labels.state}>
        <State batch={batch} />
      </Fact>
      <Fact term={words.place}>{batch.domain ?? `${appName} (${say.documents.wholeApp})`}</Fact>
      <Fact term={say.labels.whoMaySee}>
        {visibility === null ? say.documents.upload.visibilityDefault : say.tiers[visibility]}
      </Fact>
      {address === undefined ? null : (
        <Fact term={say.sources.page}>
          <a href={address} rel="noopener noreferrer" target="_blank">
            {address}
          </a>
        </Fact>
      )}
      {batch.kind === 'pdf' ? (
        <Fact term={words.pages}>
          {batch.totalPages === 0 ? '–' : format.number(batch.totalPages)}
        </Fact>
      ) : null}
      <Fact term={say.labels.size}>
        {megabytes} MB ·{' '}
        <a href={at(`${batchPath(batch.id)}/file`)}>
          {batch.kind === 'pdf' ? say.labels.openPdf : say.labels.saveFile}
        </a>
      </Fact>
      {batch.status === 'completed' ? (
        <Fact term={say.knowledge.title}>
          <a href={at(`/knowledge?${queryText({ document: batch.document })}`)}>{words.entries}</a>
        </Fact>
      ) : null}
      <Fact term={words.uploaded}>
        <Time iso={batch.createdAt} />, <Uploader batch={{ ...batch, uploader: report.uploader }} />
      </Fact>
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The script keeps the numbers up to date, and shows the page anew when the reading has ended. */
function Progress({ report }: { report: BatchReport }) {
  const { say, format, at, now } = useShown();
  const words = say.documents.batch;
  const { batch, totalEntries } = report;
  const path = batchPath(batch.id);
  const bars = [
    [words.pagesLabel, 'processed_pages', batch.processedPages, 'total_pages', batch.totalPages],
    [
      words.partsLabel,
      'processed_chunks',
      batch.processedChunks,
      'total_chunks',
      batch.totalChunks,
    ],
  ] as const;
  return (
    <section class="panel" aria-label={words.progress} data-events={at(`${path}/events`)}>
      {bars.map(([label, done, count, all, total]) => (
        <p key={done} class="bar">
          <label for={done}>{label}</label>
          <progress id={done} value={count} max={Math.max(1, total)} data-all={all} />
          <span>
            <span data-number={done}>{format.number(count)}</span> /{' '}
            <span data-number={all}>{format.number(total)}</span>
          </span>
        </p>
      ))}
      <p class="hint">
        {words.entriesLabel}: <span data-number="total_entries">{format.number(totalEntries)}</span>
      </p>
      <p class="hint" data-scriptless>
        {words.asOf(format.clock(now.toISOString()))} <a href={at(path)}>{words.look}</a>
      </p>
      <p class="unseen" role="status" data-ended={words.ended} />
    </section>
  );
}

function Failure({ report }: { report: BatchReport }) {
  const { say, format, at } = useShown();
  const words = say.documents.batch;
  const { batch } = report;
  const { error } = batch;
  if (error === null) return null;
  const path = batchPath(batch.id);
  return (
    <section class="panel fault" aria-labelledby="failed">
      <h2 id="failed">{words.failedTitle}</h2>
      <p>
        <Refusal of={error} />
      </p>
      {error.page === undefined ? null : (
        <p>
          <a href={at(`${path}/file#page=${error.page}`)}>
            {words.failedPage(format.number(error.page))}
          </a>
        </p>
      )}
      <p>
        {words.failedNothing} {words.mend}
      </p>
    </section>
  );
}

/** The next steps of a reviewer. */
function Steps({ report }: { report: BatchReport }) {
  const { say, format, at } = useShown();
  const words = say.documents.batch;
  const { batch, drafts, gone } = report;
  const path = batchPath(batch.id);
  const open = openDrafts(drafts);
  const left = open.length;
  const acceptable = open.filter(({ takenBack }) => !takenBack).length;
  return (
    <>
      {batch.status === 'processing' && left > 0 ? <p class="note">{words.comparing}</p> : null}
      {drafts.length > 0 && left === 0 ? <p>{say.labels.allDecided}</p> : null}
      <div class="buttons">
        {left === 0 ? null : (
          <a class="button main" href={at(`${path}/review`)}>
            {words.review(format.number(left))}
          </a>
        )}
        {acceptable === 0 && gone.length === 0 ? null : (
          <a class="button" href={at(`${path}?ask=approve`)}>
            {acceptable === 0 ? words.deleteGone : words.approveAll}
          </a>
        )}
        {batch.status === 'failed' ? (
          <Form action="retry" to={path}>
            <button class="main">{words.retry}</button>
          </Form>
        ) : null}
        <a class="button" href={at(`${path}?ask=delete`)}>
          {words.delete}
        </a>
      </div>
    </>
  );
}
