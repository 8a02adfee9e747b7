import type { ComponentChildren } from 'preact';
import type { Insights, Total } from '../../insights/read-insights.js';
import { queryText } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { changeOf, headlines, leastForShare, shortly, type Headline } from './headlines.js';

/** The filter of the conversations behind a figure. */
export type Filter = Record<string, string>;

interface HeadlinesProps {
  insights: Insights;
  filter: Filter;
}

/** The figures of the whole span, each with a link to its conversations and with what it was before. */
export function Tiles({ insights: { total, before }, filter }: HeadlinesProps) {
  const { say, format } = useShown();
  const words = say.insights;
  return (
    <dl class="tiles">
      {headlines.map((one) => {
        if (one.note === undefined || one.value(total) === undefined) return null;
        const earlier = shortly(one, before.total, format);
        const change = changeOf(one, { now: total, before: before.total }, { format, words });
        return (
          <div key={one.name}>
            <dt>{one.title(words)}</dt>
            <dd class="value">
              <Linked of={one} total={total} filter={filter}>
                <Value of={one} total={total} />
              </Linked>
            </dd>
            <dd class="hint">{one.note(total, words, format)}</dd>
            {earlier === undefined ? null : (
              <dd class="hint before">
                {words.before.value(earlier)}
                {change === undefined ? null : <strong>{change}</strong>}
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

/** All of these figures beside those of as many days before. */
export function BeforeTable({ insights: { total, before }, filter }: HeadlinesProps) {
  const { say, format } = useShown();
  const words = say.insights;
  const { from, to } = before;
  return (
    <>
      <p class="hint">{words.before.about(format.day(from), format.day(to))}</p>
      <Table
        caption={words.before.title}
        columns={[words.before.figure, words.before.now, words.before.then, words.before.change]}
      >
        {headlines.map((one) => {
          const title = one.title(words);
          const [now, then] = [total, before.total].map((total) => (
            <Linked
              of={one}
              total={total}
              filter={total === before.total ? { ...filter, from, to } : filter}
            >
              <Value of={one} total={total} />
            </Linked>
          ));
          const change = changeOf(one, { now: total, before: before.total }, { format, words });
          return <Row key={title} name={title} cells={[now, then, change ?? '–']} />;
        })}
      </Table>
    </>
  );
}

interface OfHeadline {
  of: Headline;
  total: Total;
}

function Linked({
  of,
  total,
  filter,
  children,
}: OfHeadline & { filter: Filter; children: ComponentChildren }) {
  if (of.filter === undefined || !of.value(total)) return <>{children}</>;
  return <Rows filter={{ ...filter, ...of.filter(total) }}>{children}</Rows>;
}

function Value({ of, total }: OfHeadline) {
  const { format } = useShown();
  const value = of.value(total);
  if (value === undefined) return <>–</>;
  if (of.of !== undefined) return <Share value={value} of={of.of(total)} />;
  return <>{shortly(of, total, format)}</>;
}

export function Rows({ filter, children }: { filter: Filter; children: ComponentChildren }) {
  const { at } = useShown();
  return <a href={at(`/conversations?${queryText(filter)}`)}>{children}</a>;
}

/** A number, as a share where there are enough cases. */
export function Share({ value, of }: { value: number; of: number }) {
  const { format } = useShown();
  if (of < leastForShare) return <>{format.number(value)}</>;
  return (
    <>
      {format.share(value / of)} <small>{format.number(value)}</small>
    </>
  );
}
