import type { Paged } from '../../platform/db/select-page.js';
import type { QuotaState } from '../../usage/manage-quotas.js';
import type { UsageReport } from '../../usage/read-usage.js';
import type { UsageGroup, UsageRow } from '../../usage/usage.js';
import { Filters, Nothing } from '../layout/filters.js';
import { Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { QuotaUse } from '../layout/units.js';

interface Names {
  apps: ReadonlyMap<number, string>;
  /** Of people, by `user:7`. */
  names: ReadonlyMap<string, string>;
}

interface UsageProps extends Names {
  /** The days that were asked for; empty ones are the use-case's choice. */
  span: { from: string; to: string };
  reports: { group: UsageGroup; report: UsageReport }[];
  quotas: Paged<QuotaState>;
}

export function Usage({ span, reports, quotas, ...named }: UsageProps) {
  const { say } = useShown();
  const words = say.usage;
  const first = reports[0]?.report;
  const { from = '', to = '', totals } = first ?? {};
  const of = 'filter';
  return (
    <>
      <h1>{words.title}</h1>
      <p class="hint">{words.about}</p>
      <Filters active={span.from !== '' || span.to !== ''}>
        <Field of={of} name="from" label={say.labels.from} type="date" value={from} />
        <Field of={of} name="to" label={say.labels.to} type="date" value={to} />
      </Filters>
      {totals === undefined || totals.messages === 0 ? (
        <Nothing active={false} text={words.none} />
      ) : (
        <>
          <Totals totals={totals} />
          {reports.map(({ group, report }) => (
            <Group key={group} group={group} report={report} {...named} />
          ))}
        </>
      )}
      <Quotas quotas={quotas} />
    </>
  );
}

function Totals({ totals }: { totals: UsageReport['totals'] }) {
  const { say, format } = useShown();
  const words = say.usage;
  return (
    <dl class="facts">
      <dt>{words.answers}</dt>
      <dd>{format.number(totals.messages)}</dd>
      <dt>{words.units}</dt>
      <dd>{format.number(totals.units)}</dd>
      <dt>{words.byOrganization}</dt>
      <dd>{format.number(totals.paidByOrganization)}</dd>
      <dt>{words.byPeople}</dt>
      <dd>{format.number(totals.paidByUsers)}</dd>
    </dl>
  );
}

function Group({ group, report, ...named }: Names & { group: UsageGroup; report: UsageReport }) {
  const { say, format } = useShown();
  const words = say.usage;
  const all = report.totals.units;
  const columns = [words.columns[group], words.answers, words.units, words.share];
  return (
    <section>
      <h2>{words.groups[group]}</h2>
      <Table caption={words.groups[group]} columns={columns}>
        {report.items.map((row, index) => (
          <Row
            key={index}
            name={<GroupName row={row} {...named} />}
            cells={[
              format.number(row.messages),
              format.number(row.units),
              <>
                <meter max={Math.max(all, 1)} value={row.units} aria-hidden="true" />{' '}
                {format.share(all === 0 ? 0 : row.units / all)}
              </>,
            ]}
          />
        ))}
      </Table>
    </section>
  );
}

function GroupName({ row, apps, names }: Names & { row: UsageRow }) {
  const { say, at } = useShown();
  const { noApp, noPerson, gonePerson } = say.usage;
  const { day, appId, channel, userId } = row;
  if (day !== undefined) return <>{day}</>;
  if (channel === 'try') return <>{say.nav.tryIt}</>;
  if (channel !== undefined) return <>{say.conversations.channels[channel]}</>;
  if (appId !== undefined) return <>{appId === null ? noApp : (apps.get(appId) ?? noApp)}</>;
  if (userId === undefined || userId === null) return <>{noPerson}</>;
  const name = names.get(`user:${userId}`);
  if (name === undefined) return <>{gonePerson(userId)}</>;
  return <a href={at(`/people/${userId}`)}>{name}</a>;
}

function Quotas({ quotas }: { quotas: Paged<QuotaState> }) {
  const { say, at } = useShown();
  const words = say.usage;
  const of = 'setQuota';
  const own = quotas.items.find(({ user }) => user === null)?.unitsPerMonth ?? null;
  return (
    <section>
      <h2>{words.quotas}</h2>
      <p class="hint">{words.quotasHint}</p>
      {quotas.items.length === 0 ? (
        <p class="nothing">{words.noQuotas}</p>
      ) : (
        <Table caption={words.quotas} columns={[words.whose, words.used, words.resets]}>
          {quotas.items.map((quota) => (
            <Row
              key={quota.user?.id ?? 0}
              name={
                quota.user === null ? (
                  words.organization
                ) : (
                  <a href={at(`/people/${quota.user.id}`)}>{quota.user.email}</a>
                )
              }
              cells={[<QuotaUse quota={quota} />, <Time iso={quota.resetsAt} />]}
            />
          ))}
        </Table>
      )}
      <Form action={of}>
        <Field
          of={of}
          name="units"
          label={words.ofOrganization}
          hint={words.unitsHint}
          value={own === null ? '' : String(own)}
        />
        <button>{words.setQuota}</button>
      </Form>
      <p class="hint">{words.ofPeople}</p>
    </section>
  );
}
