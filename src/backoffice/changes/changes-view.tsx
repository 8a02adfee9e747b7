import type { RecordedChange } from '../../audit/recorded-change.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Filters, Nothing } from '../layout/filters.js';
import { Choice, Field } from '../layout/form.js';
import { Pager, queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { actionText, authorName, fieldChanges } from './change-words.js';
import { kinds, type ChangeQuery } from './kinds.js';

interface ChangesProps {
  query: ChangeQuery;
  listed: Paged<RecordedChange>;
  names: ReadonlyMap<string, string>;
}

export function Changes({ query, listed, names }: ChangesProps) {
  const { say, at } = useShown();
  const words = say.changes;
  const { page, ...filter } = query;
  const active = Object.values(filter).some((one) => one !== '');
  const of = 'filter';
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        <a class="button" href={at(`/changes/csv?${queryText(filter)}`)} download>
          {words.csv}
        </a>
      </div>
      <p class="hint">{words.about}</p>
      <Filters active={active}>
        <Field of={of} name="person" label={words.person} value={filter.person} />
        <Choice
          of={of}
          name="kind"
          label={words.kind}
          value={filter.kind}
          options={[['', say.list.all], ...kinds.map((kind) => [kind, words.kinds[kind]] as const)]}
        />
        <Field of={of} name="thing" label={words.thingLabel} value={filter.thing} />
        <Field of={of} name="from" label={words.from} type="date" value={filter.from} />
        <Field of={of} name="to" label={words.to} type="date" value={filter.to} />
      </Filters>
      {listed.items.length === 0 ? (
        <Nothing active={active} text={words.none} />
      ) : (
        <Table caption={words.title} columns={[words.what, words.thing, words.who, words.time]}>
          {listed.items.map((change) => (
            <ChangeRow key={change.id} change={change} names={names} />
          ))}
        </Table>
      )}
      <Pager page={page} total={listed.total} query={filter} />
    </>
  );
}

function ChangeRow({
  change,
  names,
}: {
  change: RecordedChange;
  names: ReadonlyMap<string, string>;
}) {
  const { say, at } = useShown();
  const { actor, subject, action, createdAt } = change;
  const link = (name: string, value: string, text: string) => (
    <a href={at(`/changes?${queryText({ [name]: value })}`)}>{text}</a>
  );
  return (
    <Row
      name={
        <>
          {actionText(say, action)}
          <Difference change={change} />
        </>
      }
      cells={[
        <>
          {link('thing', subject, shortened(subject))}
          {names.has(subject) ? ` ${names.get(subject)}` : null}
        </>,
        link('person', actor, authorName(say, actor, names)),
        <Time iso={createdAt} />,
      ]}
    />
  );
}

/** `conversation:7e8bec61…`: a whole name of random digits would take the place of what changed. */
function shortened(subject: string): string {
  return subject.replace(/(:[\da-f]{8})-[\da-f-]{27}$/, '$1…');
}

/** The changed fields: what stood there, and what stands there now. */
function Difference({ change }: { change: RecordedChange }) {
  const { say, format } = useShown();
  const fields = fieldChanges(say, change, (iso) => format.time(iso));
  if (fields.length === 0) return null;
  const list = (
    <dl class="changed">
      {fields.map(({ field, before, after }) => (
        <>
          <dt>{field}</dt>
          <dd>
            {before === undefined ? null : <del>{before}</del>}
            {before === undefined || after === undefined ? null : ' → '}
            {after === undefined ? null : <ins>{after}</ins>}
          </dd>
        </>
      ))}
    </dl>
  );
  const isWhole = change.before === null || change.after === null;
  if (!isWhole) return list;
  return (
    <details class="more">
      <summary>{say.changes.fieldsOf(fields.length)}</summary>
      {list}
    </details>
  );
}
