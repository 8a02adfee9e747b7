import { pagesOf } from '../../ingestion/batches/batch.schema.js';
import type { BatchReport } from '../../ingestion/review/get-report.js';
import {
  draftStates,
  type DraftState,
  type OutlinedDraft,
} from '../../ingestion/review/read-review.js';
import { Badge } from '../layout/badge.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { batchPath } from './batch-params.js';

const rowsPerPage = 50;

/** The drafts of a batch, fifty at a time, by their state. */
export function DraftList({
  report,
  query,
}: {
  report: BatchReport;
  query: { state?: DraftState | undefined; after?: number | undefined };
}) {
  const { say, at } = useShown();
  const words = say.documents.batch;
  const { batch, drafts } = report;
  if (drafts.length === 0) return null;
  const { state, after } = query;
  const fitting = state === undefined ? drafts : drafts.filter((one) => one.state === state);
  const start = after === undefined ? 0 : fitting.findIndex(({ id }) => id === after) + 1;
  const shown = fitting.slice(start, start + rowsPerPage);
  const last = shown.at(-1)?.id;
  const hasPages = batch.kind === 'pdf';
  const addressOf = (query: { state?: string | undefined; after?: number | undefined }) => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = new URLSearchParams(given).toString();
    return at(`${batchPath(batch.id)}${search === '' ? '' : `?${search}`}#drafts`);
  };
  return (
    <section>
      <h2 id="drafts">{words.drafts}</h2>
      <p class="tabs">
        {[undefined, ...draftStates].map((one) => (
          <a
            key={one}
            href={addressOf({ state: one })}
            aria-current={one === state ? 'true' : undefined}
          >
            <Count drafts={drafts} state={one} />
          </a>
        ))}
      </p>
      {shown.length === 0 ? <p class="empty">{words.noDrafts}</p> : null}
      {shown.length === 0 ? null : (
        <Table
          caption={words.drafts}
          columns={[
            say.labels.title,
            ...(hasPages ? [words.columns.pages] : []),
            say.labels.kind,
            say.labels.state,
          ]}
        >
          {shown.map((draft) => (
            <DraftRow key={draft.id} batchId={batch.id} draft={draft} hasPages={hasPages} />
          ))}
        </Table>
      )}
      <p class="pager">
        {start === 0 ? null : (
          <a class="button" href={addressOf({ state })}>
            {words.start}
          </a>
        )}
        {start + rowsPerPage >= fitting.length ? null : (
          <a class="button" href={addressOf({ state, after: last })}>
            {words.more}
          </a>
        )}
      </p>
    </section>
  );
}

function Count({
  drafts,
  state,
}: {
  drafts: readonly OutlinedDraft[];
  state: DraftState | undefined;
}) {
  const { say, format } = useShown();
  const words = say.documents.batch;
  const count = drafts.filter((one) => state === undefined || one.state === state).length;
  const name = state === undefined ? words.allStates : words.draftStates[state];
  return (
    <>
      {name} <span class="hint">{format.number(count)}</span>
    </>
  );
}

function DraftRow({
  batchId,
  draft,
  hasPages,
}: {
  batchId: string;
  draft: OutlinedDraft;
  hasPages: boolean;
}) {
  const { say, at } = useShown();
  const words = say.documents.batch;
  return (
    <Row
      name={<a href={at(`${batchPath(batchId)}/review?draft=${draft.id}`)}>{draft.title}</a>}
      cells={[
        ...(hasPages ? [pagesOf(draft)] : []),
        draft.replacesId === null ? words.adds : words.replaces,
        <>
          <DraftBadge state={draft.state} />{' '}
          {draft.takenBack ? <Badge tone="warning" text={words.takenBack} /> : null}
        </>,
      ]}
    />
  );
}

export function DraftBadge({ state }: { state: DraftState }) {
  const { say } = useShown();
  const tones = { draft: 'plain', accepted: 'good', rejected: 'bad' } as const;
  return <Badge tone={tones[state]} text={say.documents.batch.draftStates[state]} />;
}
