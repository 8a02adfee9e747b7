import type { Waiting } from '../../ingestion/review/approve-waiting.js';
import type { Paged } from '../../platform/db/select-page.js';
import type { Preview } from '../../sources/preview-source.js';
import type { LeftOut } from '../../sources/site/site-page.js';
import type { RunDocument, SourceRun } from '../../sources/source.js';
import type { SourceWithRun } from '../../sources/sources.schema.js';
import { Badge } from '../layout/badge.js';
import { DeleteForm } from '../layout/delete-form.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { WaitingDrafts } from './accept.page.js';
import { GoneDocuments } from './gone.page.js';
import { SourceForm } from './source-form.js';
import { StateBadge } from './sources-view.js';

/** The most listed addresses. */
const mostListed = 50;

interface SourceProps {
  source: SourceWithRun;
  runs: Paged<SourceRun>;
  waiting: Waiting;
  /** How many documents are gone at the source and were not taken back. */
  gone: number;
  previewPages: number;
  /** Set after a preview. */
  preview?: Preview;
}

export function SourcePage({ source, runs, waiting, gone, previewPages, preview }: SourceProps) {
  const { say, at, format } = useShown();
  const words = say.sources;
  const { lastRun } = source;
  return (
    <>
      <p class="above">
        <a href={at('/sources')}>{words.title}</a>
      </p>
      <h1>{source.name}</h1>
      {preview === undefined ? null : <PreviewList preview={preview} />}
      <div class="beside">
        <div>
          <dl class="facts">
            <dt>{words.kinds[source.kind]}</dt>
            <dd>{source.place}</dd>
            <dt>{say.labels.state}</dt>
            <dd>
              <StateBadge source={source} />
            </dd>
            {source.nextRunAt === null ? null : (
              <>
                <dt>{words.nextRun}</dt>
                <dd>
                  <Time iso={source.nextRunAt} />
                </dd>
              </>
            )}
          </dl>
          <WaitingDrafts source={source} waiting={waiting} />
          <GoneDocuments source={source} gone={gone} />
          {source.isRunning ? null : (
            <Form action="run">
              <p class="hint">{words.runHint}</p>
              <button class="main">{words.run}</button>
            </Form>
          )}
          {source.kind === 'site' ? (
            <Form action="preview">
              <p class="hint">{words.previewHint(format.number(previewPages))}</p>
              <button>{words.preview}</button>
            </Form>
          ) : null}
          {lastRun === null ? (
            <p class="nothing">{words.neverRun}</p>
          ) : (
            <>
              <RunTable runs={runs.items} />
              <Findings run={lastRun} />
            </>
          )}
        </div>
        <div>
          <section class="card">
            <h2>{words.settings}</h2>
            <SourceForm source={source} />
          </section>
          <section class="card">
            <h2>{say.labels.delete}</h2>
            <DeleteForm words={words} />
          </section>
        </div>
      </div>
    </>
  );
}

/** One run of a source, with the way to the drafts and differences of each document. */
export function RunPage({
  source,
  run,
  waiting,
}: {
  source: SourceWithRun;
  run: SourceRun;
  waiting: Waiting;
}) {
  const { at } = useShown();
  return (
    <>
      <p class="above">
        <a href={at(`/sources/${source.id}`)}>{source.name}</a>
      </p>
      <h1>
        <Time iso={run.createdAt} />
      </h1>
      <RunTable runs={[run]} />
      <WaitingDrafts source={source} run={run} waiting={waiting} />
      <Findings run={run} />
    </>
  );
}

/** What a run brought, and what it left out. */
function Findings({ run: { report, errorMessage } }: { run: SourceRun }) {
  const words = useShown().say.sources;
  const { endedBy, note, leftOut, documents } = report;
  const ending =
    endedBy === null ? undefined : words.endings[endedBy as keyof typeof words.endings];
  return (
    <>
      {errorMessage === null ? null : (
        <p class="problem" lang="en">
          {errorMessage}
        </p>
      )}
      {ending === undefined ? null : <p>{ending}</p>}
      {note === null ? null : <p lang="en">{note}</p>}
      <DocumentList documents={documents} />
      <LeftOutList leftOut={leftOut} />
    </>
  );
}

/** The documents of a run that are not as they were, each with a link to its drafts and differences. */
function DocumentList({ documents }: { documents: readonly RunDocument[] }) {
  const { say, at } = useShown();
  const words = say.sources;
  if (documents.length === 0) return null;
  return (
    <section>
      <h2>{words.documents}</h2>
      <Table caption={words.documents} columns={[words.page, say.labels.state]}>
        {documents.map(({ status, address, movedFrom, batchId }) => (
          <Row
            key={address}
            name={<a href={at(`/documents/${batchId}`)}>{address}</a>}
            cells={[
              <>
                {words.statuses[status]}
                {movedFrom === null ? null : ` (${words.movedFrom} ${movedFrom})`}
              </>,
            ]}
          />
        ))}
      </Table>
    </section>
  );
}

function LeftOutList({ leftOut }: { leftOut: readonly LeftOut[] }) {
  const words = useShown().say.sources;
  if (leftOut.length === 0) return null;
  return (
    <details class="more">
      <summary>{words.leftOut}</summary>
      <Table caption={words.leftOut} columns={[words.page, words.reason]}>
        {leftOut.slice(0, mostListed).map(({ address, reason, detail }) => (
          <Row
            key={address}
            name={address}
            cells={[
              <>
                {words.reasons[reason]}
                {detail === undefined ? null : <span lang="en">{` (${detail})`}</span>}
              </>,
            ]}
          />
        ))}
      </Table>
    </details>
  );
}

const shownCounts = ['new', 'changed', 'moved', 'gone', 'failed', 'published'] as const;

function RunTable({ runs }: { runs: readonly SourceRun[] }) {
  const { say, format, at } = useShown();
  const words = say.sources;
  const columns = [words.runs, say.labels.state, ...shownCounts.map((one) => words.counts[one])];
  return (
    <Table caption={words.runs} columns={columns}>
      {runs.map(({ id, status, createdAt, counts }) => (
        <Row
          key={id}
          name={
            <a href={at(`/sources/runs/${id}`)}>
              <Time iso={createdAt} />
            </a>
          }
          cells={[
            <Badge tone={status === 'failed' ? 'bad' : 'plain'} text={words.states[status]} />,
            ...shownCounts.map((one) => format.number(counts[one])),
          ]}
        />
      ))}
    </Table>
  );
}

function PreviewList({ preview: { pages, report } }: { preview: Preview }) {
  const { say } = useShown();
  const words = say.sources;
  return (
    <section role="status">
      <h2>{words.preview}</h2>
      {pages.length === 0 ? (
        <p class="nothing">{words.previewNone}</p>
      ) : (
        <Table caption={words.preview} columns={[words.page, say.labels.state, '']}>
          {pages.map(({ address, status, title }) => (
            <Row key={address} name={address} cells={[words.statuses[status], title]} />
          ))}
        </Table>
      )}
      <LeftOutList leftOut={report.leftOut} />
    </section>
  );
}
