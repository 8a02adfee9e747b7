import { kindsByExtension } from '../../documents/document.js';
import type { Batch, BatchStatus } from '../../ingestion/batches/batch.js';
import {
  mostCounted,
  type BatchSlice,
  type ListedBatch,
} from '../../ingestion/review/list-batches.js';
import { visibilities } from '../../platform/actor.js';
import { Badge } from '../layout/badge.js';
import { DomainField } from '../layout/domain-field.js';
import { Checkbox, Choice, Field, Form, Notes, useField } from '../layout/form.js';
import { Refusal } from '../layout/refusal.js';
import { queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { batchPath } from './batch-params.js';

interface Filter {
  name?: string | undefined;
  status?: BatchStatus | undefined;
  app?: number | undefined;
  after?: string | undefined;
}

interface DocumentsProps {
  slice: BatchSlice;
  apps: { id: number; name: string }[];
  /** The hosts of the organization's domains. */
  hosts: string[];
  megabytes: number;
  filter: Filter;
}

/** The page of all documents: upload, filter, list. */
export function Documents({ slice, apps, hosts, megabytes, filter }: DocumentsProps) {
  const { say } = useShown();
  const isFiltered = [filter.name, filter.status, filter.app].some((one) => one !== undefined);
  const isBare = slice.items.length === 0 && !isFiltered && filter.after === undefined;
  return (
    <>
      <h1>{say.documents.title}</h1>
      <Upload apps={apps} hosts={hosts} megabytes={megabytes} isOpen={isBare} />
      {isBare ? (
        <p class="empty">{say.documents.empty}</p>
      ) : (
        <List slice={slice} apps={apps} filter={filter} isFiltered={isFiltered} />
      )}
    </>
  );
}

function Upload({
  apps,
  hosts,
  megabytes,
  isOpen,
}: Pick<DocumentsProps, 'apps' | 'hosts' | 'megabytes'> & { isOpen: boolean }) {
  const { say, fault, at } = useShown();
  const words = say.documents.upload;
  const of = 'upload';
  return (
    <details class="panel" open={isOpen || fault?.action === of}>
      <summary>
        <h2>{words.title}</h2>
      </summary>
      <div data-upload={at('/documents/look-up')}>
        <Form action={of} enctype="multipart/form-data">
          <FileField megabytes={megabytes} />
          <div class="columns">
            {apps.length < 2 ? null : (
              <Choice
                of={of}
                name="app_id"
                label={say.labels.app}
                value=""
                options={[['', words.appDefault], ...appOptions(apps)]}
              />
            )}
            <DomainField of={of} hosts={hosts} label={say.labels.domain} hint={words.domainHint} />
            <Choice
              of={of}
              name="visibility"
              label={say.labels.whoMaySee}
              value=""
              options={[
                ['', words.visibilityDefault],
                ...visibilities.map((one) => [one, say.tiers[one]] as const),
              ]}
            />
          </div>
          <Checkbox of={of} name="force" label={words.force} checked={false} />
          <button class="main">{words.button}</button>
        </Form>
      </div>
    </details>
  );
}

/** One file without a script; the script lets several be chosen, and takes its words from here. */
/** For the window in which files are chosen. The content decides later. */
const acceptedEndings = Object.keys(kindsByExtension)
  .map((ending) => `.${ending}`)
  .join(',');

function FileField({ megabytes }: { megabytes: number }) {
  const { say } = useShown();
  const words = say.documents.upload;
  const { id, problem, described } = useField('upload', 'file', words.fileHint(megabytes));
  return (
    <div
      class="field"
      data-files={JSON.stringify({
        label: words.files,
        hint: words.filesHint(megabytes),
        chosen: words.chosen,
        looking: words.looking,
        unknown: words.unknown,
        open: words.open,
        sent: words.sent,
        sending: words.sending('%'),
        failed: words.failed,
        lost: words.lost,
        tooLarge: words.tooLarge(megabytes),
        mostBytes: megabytes * 1024 * 1024,
      })}
    >
      <label for={id}>{words.file}</label>
      <Notes id={id} hint={words.fileHint(megabytes)} problem={problem} />
      <input
        id={id}
        type="file"
        name="file"
        class="drop"
        required
        accept={acceptedEndings}
        aria-describedby={described}
      />
    </div>
  );
}

function List({
  slice,
  apps,
  filter,
  isFiltered,
}: Pick<DocumentsProps, 'slice' | 'apps' | 'filter'> & { isFiltered: boolean }) {
  const { say, format, at } = useShown();
  const words = say.documents;
  const { items, next, total } = slice;
  const isMore = total >= mostCounted;
  return (
    <>
      <FilterForm apps={apps} filter={filter} isFiltered={isFiltered} />
      {items.length === 0 ? (
        <p class="empty">
          {words.nothingFits} <a href={at('/documents')}>{say.labels.clearFilter}</a>
        </p>
      ) : (
        <>
          <p class="hint">{words.count(format.number(isMore ? mostCounted - 1 : total), isMore)}</p>
          <BatchTable batches={items} apps={apps} />
        </>
      )}
      <p class="pager">
        {filter.after === undefined ? null : (
          <a class="button" href={at(addressOf({ ...filter, after: undefined }))}>
            {words.first}
          </a>
        )}
        {next === undefined ? null : (
          <a class="button" href={at(addressOf({ ...filter, after: next }))}>
            {words.next}
          </a>
        )}
      </p>
    </>
  );
}

function FilterForm({
  apps,
  filter,
  isFiltered,
}: Pick<DocumentsProps, 'apps' | 'filter'> & { isFiltered: boolean }) {
  const { say, at } = useShown();
  const words = say.documents.filter;
  const of = 'filter';
  return (
    <form class="filters" method="get" action={at('/documents')} aria-label={words.label}>
      <Field of={of} name="name" label={words.name} type="search" value={filter.name} />
      <Choice
        of={of}
        name="status"
        label={say.labels.state}
        value={filter.status ?? ''}
        options={[
          ['', words.all],
          ...Object.entries(say.documents.states).map(([one, text]) => [one, text] as const),
        ]}
      />
      {apps.length < 2 ? null : (
        <Choice
          of={of}
          name="app"
          label={say.labels.app}
          value={String(filter.app ?? '')}
          options={[['', words.all], ...appOptions(apps)]}
        />
      )}
      <div class="field">
        <button>{say.labels.filter}</button>{' '}
        {isFiltered ? <a href={at('/documents')}>{say.labels.clearFilter}</a> : null}
      </div>
    </form>
  );
}

function BatchTable({ batches, apps }: { batches: ListedBatch[]; apps: DocumentsProps['apps'] }) {
  const { say, at } = useShown();
  const words = say.documents;
  const { columns } = words;
  const nameOf = new Map(apps.map(({ id, name }) => [id, name]));
  return (
    <Table
      caption={words.table}
      columns={[columns.document, say.labels.state, columns.left, columns.by, columns.when]}
    >
      {batches.map((batch) => (
        <Row
          key={batch.id}
          name={
            <>
              <a href={at(batchPath(batch.id))}>{batch.fileName}</a>
              <div class="hint">
                {batch.domain ?? `${nameOf.get(batch.appId) ?? ''} (${words.wholeApp})`}
              </div>
            </>
          }
          cells={[
            <State batch={batch} />,
            <DraftsLeft batch={batch} />,
            <Uploader batch={batch} />,
            <Time iso={batch.createdAt} />,
          ]}
        />
      ))}
    </Table>
  );
}

function DraftsLeft({ batch }: { batch: ListedBatch }) {
  const { say, format, at } = useShown();
  if (batch.draftEntries === 0) return <span class="hint">{say.documents.noneLeft}</span>;
  return (
    <a class="whole" href={at(`${batchPath(batch.id)}/review`)}>
      {say.documents.review(format.number(batch.draftEntries))}
      <span class="unseen">: {batch.fileName}</span>
    </a>
  );
}

/** The person who uploaded a batch, or the source that brought it. The name is undefined for deleted people. */
export function Uploader({
  batch,
}: {
  batch: Pick<ListedBatch, 'uploader' | 'createdBy' | 'source'>;
}) {
  const { say } = useShown();
  const { uploader, createdBy, source } = batch;
  if (createdBy.startsWith('source:')) return <>{source}</>;
  const isOperator = createdBy === 'operator';
  return <>{uploader ?? (isOperator ? say.documents.byOperator : say.documents.byUnknown)}</>;
}

/** The state of a batch in words and colour, and how far it is. */
export function State({ batch }: { batch: Batch }) {
  const { say, format } = useShown();
  const words = say.documents;
  const { status, processedChunks, totalChunks, processedPages, totalPages } = batch;
  const tones = { processing: 'plain', completed: 'good', failed: 'bad' } as const;
  const tone = batch.supersededBy === null ? tones[status] : 'plain';
  const [done, all, text] =
    totalChunks > 0
      ? [processedChunks, totalChunks, words.partsRead]
      : [processedPages, totalPages, words.pagesRead];
  return (
    <>
      <Badge tone={tone} text={words.states[status]} />{' '}
      {batch.supersededBy === null ? null : <Badge text={words.superseded} />}
      {status !== 'processing' ? null : (
        <div class="hint" data-before-progress>
          {all === 0 ? words.waiting : text(format.number(done), format.number(all))}
        </div>
      )}
      {batch.error === null ? null : (
        <div class="hint">
          <Refusal of={batch.error} />
        </div>
      )}
    </>
  );
}

function appOptions(apps: DocumentsProps['apps']) {
  return apps.map(({ id, name }) => [String(id), name] as const);
}

function addressOf({ name, status, app, after }: Filter): string {
  const query = queryText({ name, status, app: app?.toString(), after });
  return `/documents${query === '' ? '' : `?${query}`}`;
}
