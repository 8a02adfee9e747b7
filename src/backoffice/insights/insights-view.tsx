import type { ComponentChildren } from 'preact';
import type { Insights } from '../../insights/read-insights.js';
import type { Figures, Speed } from '../../insights/sum-figures.js';
import { languages } from '../../language/language-pack.js';
import { addDays } from '../../platform/time-zone.js';
import type { Channel } from '../../usage/payer.js';
import { DayChart } from '../layout/chart.js';
import { Filters } from '../layout/filters.js';
import { Choice, Field } from '../layout/form.js';
import { queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { BeforeTable, Rows, Share, Tiles, type Filter } from './headlines-view.js';
import { p95Of, slowerThan } from './headlines.js';
import type { InsightsQuery } from './insights-query.js';
import { tablesOf, type FiguresRow, type TableName } from './insights-tables.js';

interface InsightsProps {
  insights: Insights;
  query: InsightsQuery;
  apps: readonly { id: number; name: string }[];
  channels: readonly Channel[];
}

export function InsightsView({ insights, query, apps, channels }: InsightsProps) {
  const { say, format, at } = useShown();
  const words = say.insights;
  const { from, to, timeZone, total, byDay } = insights;
  const { app, channel, language } = query;
  const filter = { from, to, app, channel: channel || 'people', language };
  return (
    <>
      <h1>{words.title}</h1>
      <SpanLinks insights={insights} query={query} />
      <InsightsFilters insights={insights} query={query} apps={apps} channels={channels} />
      <p class="hint">
        {words.span(format.day(from), format.day(to), timeZone)}{' '}
        {format.timeZone === undefined && <a href={at('/account')}>{words.chooseZone}</a>}
      </p>
      {total.questions === 0 ? (
        <p class="nothing">{words.none}</p>
      ) : (
        <>
          <Tiles insights={insights} filter={filter} />
          <p>
            <a href={at('/questions/unanswered')}>{say.topics.title}</a>
          </p>
          <DayChart
            id="chart-days"
            title={words.byDay}
            about={words.chart}
            legend={[words.figures.answered, words.unanswered]}
            bars={byDay.map(({ day, questions, answered }) => ({
              day,
              parts: [answered, questions - answered],
            }))}
          />
          {total.lastWord === undefined ? null : (
            <DayChart
              id="chart-speed"
              title={words.speed}
              about={words.speedChart}
              legend={[words.median, words.slowest]}
              write={(ms) => format.took(ms)}
              bars={byDay.map(({ day, lastWord }) => {
                const [median, p95] = [lastWord?.median ?? 0, p95Of(lastWord)];
                return { day, parts: [median, (p95 ?? median) - median] };
              })}
            />
          )}
          <Counted name="before" title={words.before.title} filter={filter} isOpen={false}>
            <BeforeTable insights={insights} filter={filter} />
          </Counted>
          {tablesOf(insights, { say, apps, format }).map(({ name, rows }) => (
            <FiguresTable
              key={name}
              name={name}
              rows={rows}
              filter={filter}
              isOpen={name !== 'day'}
            />
          ))}
        </>
      )}
    </>
  );
}

/** The last days, in one click. */
function SpanLinks({ insights, query }: Pick<InsightsProps, 'insights' | 'query'>) {
  const { say, at, path } = useShown();
  return (
    <p class="spans">
      {[7, 30, 90, 365].map((days) => {
        const from = addDays(insights.to, 1 - days);
        const isShown = insights.from === from;
        const to = at(`${path}?${queryText({ ...query, from, to: insights.to })}`);
        return (
          <a key={days} href={to} aria-current={isShown ? 'true' : undefined}>
            {say.insights.days(days)}
          </a>
        );
      })}
    </p>
  );
}

function InsightsFilters({ insights, query, apps, channels }: InsightsProps) {
  const { say } = useShown();
  const words = say.insights;
  const of = 'filter';
  const all = [['', say.list.all]] as const;
  return (
    <Filters active={Object.values(query).some((one) => one !== '')}>
      <Field of={of} name="from" label={say.labels.from} type="date" value={insights.from} />
      <Field of={of} name="to" label={say.labels.to} type="date" value={insights.to} />
      <Choice
        of={of}
        name="app"
        label={words.tables.app}
        value={query.app}
        options={[...all, ...apps.map(({ id, name }) => [String(id), name] as const)]}
      />
      <Choice
        of={of}
        name="channel"
        label={words.tables.channel}
        value={query.channel}
        options={[
          ...all,
          ...channels.map((one) => [one, say.conversations.channels[one]] as const),
        ]}
      />
      <Choice
        of={of}
        name="language"
        label={words.tables.language}
        value={query.language}
        options={[...all, ...languages.map((one) => [one, words.languages[one]] as const)]}
      />
    </Filters>
  );
}

interface FiguresTableProps {
  name: TableName;
  rows: FiguresRow[];
  filter: Filter;
  isOpen: boolean;
}

function FiguresTable({ name, rows, filter, isOpen }: FiguresTableProps) {
  const { say } = useShown();
  const words = say.insights;
  const { figures } = words;
  const timed = rows.some(({ figures }) => figures.lastWord !== undefined);
  const columns = [
    words.tables[name],
    figures.questions,
    figures.answered,
    words.helpful,
    figures.unsupported,
    figures.settled,
    figures.handedOver,
    ...(timed ? [words.timesOf(figures.lastWord)] : []),
    ...(timed && name === 'mode' ? [words.timesOf(figures.firstWord)] : []),
  ];
  return (
    <Counted name={name} filter={filter} isOpen={isOpen} title={words.by[name]}>
      <Table caption={words.by[name]} columns={columns}>
        {rows.map((row) => (
          <Row
            key={row.name}
            name={row.name}
            cells={cellsOf(row, { filter, columns: columns.length - 1 })}
          />
        ))}
      </Table>
    </Counted>
  );
}

interface CountedProps {
  name: TableName | 'before';
  title: string;
  filter: Filter;
  isOpen: boolean;
  children: ComponentChildren;
}

/** A table with its file for spreadsheets. */
function Counted({ name, title, filter, isOpen, children }: CountedProps) {
  const { say, at } = useShown();
  const { channel, ...rest } = filter;
  const csv = queryText({ ...rest, channel: channel === 'people' ? '' : channel });
  return (
    <details class="counted" open={isOpen}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
      <p>
        <a href={at(`/insights/${name}.csv?${csv}`)}>{say.insights.csv(title)}</a>
      </p>
    </details>
  );
}

function cellsOf(
  { figures, filter: own }: FiguresRow,
  { filter, columns }: { filter: Filter; columns: number },
): ComponentChildren[] {
  const cell = (value: number, of: number | undefined, more: Filter) => {
    const shown = of === undefined ? <Count value={value} /> : <Share value={value} of={of} />;
    if (value === 0 || own === undefined) return shown;
    return <Rows filter={{ ...filter, ...own, ...more }}>{shown}</Rows>;
  };
  const times = (speed: Speed | undefined, more: Filter) => {
    const shown = <Times speed={speed} />;
    if (speed === undefined || own === undefined) return shown;
    return <Rows filter={{ ...filter, ...own, ...more }}>{shown}</Rows>;
  };
  const { questions, answered, up, down, unsupported }: Figures = figures;
  const { conversations, settled, handedOver, firstWord, lastWord } = figures;
  return [
    cell(questions, undefined, {}),
    cell(answered, questions, { found: 'true' }),
    <>
      {cell(up, undefined, { rating: 'up' })} / {cell(down, undefined, { rating: 'down' })}
    </>,
    cell(unsupported, undefined, { unsupported: 'true' }),
    cell(settled, conversations, { outcome: 'settled' }),
    cell(handedOver, undefined, { outcome: 'handed' }),
    times(lastWord, slowerThan(p95Of(lastWord) ?? lastWord?.median)),
    <Times speed={firstWord} />,
  ].slice(0, columns);
}

/** The median, and the 95th percentile of enough replies. */
function Times({ speed }: { speed: Speed | undefined }) {
  const { format } = useShown();
  if (speed === undefined) return <>–</>;
  const p95 = p95Of(speed);
  const median = format.took(speed.median);
  return <>{p95 === undefined ? median : `${median} / ${format.took(p95)}`}</>;
}

function Count({ value }: { value: number }) {
  const { format } = useShown();
  return <>{format.number(value)}</>;
}
