import type { ComponentChildren } from 'preact';
import type { Figures, Insights } from '../../insights/read-insights.js';
import { languages } from '../../language/language-pack.js';
import { addDays } from '../../platform/time-zone.js';
import type { Channel } from '../../usage/payer.js';
import { DayChart } from '../layout/chart.js';
import { Filters } from '../layout/filters.js';
import { Choice, Field } from '../layout/form.js';
import { queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import type { InsightsQuery } from './insights-query.js';
import { tablesOf, type FiguresRow, type TableName } from './insights-tables.js';

/** Fewer cases show as numbers without a percentage. */
const leastForShare = 20;

interface InsightsProps {
  insights: Insights;
  query: InsightsQuery;
  apps: readonly { id: number; name: string }[];
  channels: readonly Channel[];
}

export function InsightsView({ insights, query, apps, channels }: InsightsProps) {
  const { say, format } = useShown();
  const words = say.insights;
  const { from, to, timeZone, total, byDay } = insights;
  const { app, channel, language } = query;
  const filter = { from, to, app, channel: channel || 'people', language };
  return (
    <>
      <h1>{words.title}</h1>
      <SpanLinks {...{ insights, query }} />
      <InsightsFilters {...{ insights, query, apps, channels }} />
      <p class="hint">{words.span(format.day(from), format.day(to), timeZone)}</p>
      {total.questions === 0 ? (
        <p class="nothing">{words.none}</p>
      ) : (
        <>
          <Tiles {...{ insights, filter }} />
          <DayChart
            {...{ id: 'chart-days', title: words.byDay, about: words.chart }}
            legend={[words.figures.answered, words.unanswered]}
            bars={byDay.map(({ day, questions, answered }) => ({
              ...{ day, parts: [answered, questions - answered] },
            }))}
          />
          {tablesOf(insights, { say, apps, format }).map(({ name, rows }) => (
            <FiguresTable key={name} {...{ name, rows, filter }} isOpen={name !== 'day'} />
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
      <Field {...{ of, name: 'from', label: words.from, type: 'date', value: insights.from }} />
      <Field {...{ of, name: 'to', label: words.to, type: 'date', value: insights.to }} />
      <Choice
        {...{ of, name: 'app', label: words.tables.app, value: query.app }}
        options={[...all, ...apps.map(({ id, name }) => [String(id), name] as const)]}
      />
      <Choice
        {...{ of, name: 'channel', label: words.tables.channel, value: query.channel }}
        options={[
          ...all,
          ...channels.map((one) => [one, say.conversations.channels[one]] as const),
        ]}
      />
      <Choice
        {...{ of, name: 'language', label: words.tables.language, value: query.language }}
        options={[...all, ...languages.map((one) => [one, words.languages[one]] as const)]}
      />
    </Filters>
  );
}

type Filter = Record<string, string>;

/** The figures of the whole span, each with a link to its conversations. */
function Tiles({ insights: { total }, filter }: { insights: Insights; filter: Filter }) {
  const { say, format } = useShown();
  const { figures, notes } = say.insights;
  const rated = total.up + total.down;
  const tile = (name: keyof typeof figures, value: number, of: number, more: Filter) => (
    <Tile name={figures[name]} filter={{ ...filter, ...more }} note={notes.of(format.number(of))}>
      <Share value={value} of={of} />
    </Tile>
  );
  return (
    <dl class="tiles">
      <Tile
        name={figures.questions}
        filter={filter}
        note={notes.conversations(format.number(total.conversations))}
      >
        {format.number(total.questions)}
      </Tile>
      {tile('answered', total.answered, total.questions, { found: 'true' })}
      {tile('settled', total.settled, total.conversations, { outcome: 'settled' })}
      <Tile
        name={figures.handedOver}
        filter={{ ...filter, outcome: 'handed' }}
        note={
          total.medianWaitMs === undefined
            ? notes.of(format.number(total.conversations))
            : notes.median(format.duration(total.medianWaitMs))
        }
      >
        <Share value={total.handedOver} of={total.conversations} />
      </Tile>
      <Tile
        name={figures.up}
        filter={{ ...filter, rating: 'up' }}
        note={notes.rated(format.number(rated), format.number(total.questions))}
      >
        <Share value={total.up} of={rated} />
      </Tile>
      {tile('unsupported', total.unsupported, total.questions, { unsupported: 'true' })}
      {total.units === undefined ? null : (
        <Tile name={figures.units} note={notes.units}>
          {format.number(total.units)}
        </Tile>
      )}
    </dl>
  );
}

interface TileProps {
  name: string;
  note: string;
  /** Undefined: there is no list behind it. */
  filter?: Filter;
  children: ComponentChildren;
}

function Tile({ name, note, filter, children }: TileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="value">
        {filter === undefined ? children : <Rows filter={filter}>{children}</Rows>}
      </dd>
      <dd class="hint">{note}</dd>
    </div>
  );
}

function Rows({ filter, children }: { filter: Filter; children: ComponentChildren }) {
  const { at } = useShown();
  return <a href={at(`/conversations?${queryText(filter)}`)}>{children}</a>;
}

/** A number, as a share where there are enough cases. */
function Share({ value, of }: { value: number; of: number }) {
  const { format } = useShown();
  if (of < leastForShare) return <>{format.number(value)}</>;
  return (
    <>
      {format.share(value / of)} <small>{format.number(value)}</small>
    </>
  );
}

interface FiguresTableProps {
  name: TableName;
  rows: FiguresRow[];
  filter: Filter;
  isOpen: boolean;
}

function FiguresTable({ name, rows, filter, isOpen }: FiguresTableProps) {
  const { say, at } = useShown();
  const words = say.insights;
  const { figures } = words;
  const hasEnds = rows.some(({ figures }) => figures.conversations !== undefined);
  const columns = [words.tables[name], figures.questions, figures.answered, words.helpful];
  const ends = hasEnds ? [figures.settled, figures.handedOver] : [];
  const { channel, ...rest } = filter;
  const csv = queryText({ ...rest, channel: channel === 'people' ? '' : channel });
  return (
    <details class="counted" open={isOpen}>
      <summary>
        <h2>{words.by[name]}</h2>
      </summary>
      <Table caption={words.by[name]} columns={[...columns, figures.unsupported, ...ends]}>
        {rows.map((row) => (
          <Row key={row.name} name={row.name} cells={cellsOf(row, { filter, hasEnds })} />
        ))}
      </Table>
      <p>
        <a href={at(`/insights/${name}.csv?${csv}`)}>{words.csv(words.by[name])}</a>
      </p>
    </details>
  );
}

function cellsOf(
  { figures, filter: own }: FiguresRow,
  { filter, hasEnds }: { filter: Filter; hasEnds: boolean },
): ComponentChildren[] {
  const cell = (value: number, of: number | undefined, more: Filter) => {
    const shown = of === undefined ? <Count value={value} /> : <Share value={value} of={of} />;
    if (value === 0 || own === undefined) return shown;
    return <Rows filter={{ ...filter, ...own, ...more }}>{shown}</Rows>;
  };
  const { questions, answered, up, down, unsupported }: Figures = figures;
  const { conversations = 0, settled = 0, handedOver = 0 } = figures;
  return [
    cell(questions, undefined, {}),
    cell(answered, questions, { found: 'true' }),
    <>
      {cell(up, undefined, { rating: 'up' })} / {cell(down, undefined, { rating: 'down' })}
    </>,
    cell(unsupported, undefined, { unsupported: 'true' }),
    ...(hasEnds
      ? [
          cell(settled, conversations, { outcome: 'settled' }),
          cell(handedOver, undefined, { outcome: 'handed' }),
        ]
      : []),
  ];
}

function Count({ value }: { value: number }) {
  const { format } = useShown();
  return <>{format.number(value)}</>;
}
