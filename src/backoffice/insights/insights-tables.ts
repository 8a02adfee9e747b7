import type { Insights } from '../../insights/read-insights.js';
import type { Figures } from '../../insights/sum-figures.js';
import type { Format } from '../texts/format.js';
import type { Texts } from '../texts/en.js';
import { headlines } from './headlines.js';

export const tables = ['app', 'channel', 'language', 'mode', 'day'] as const;
export type TableName = (typeof tables)[number];

export interface FiguresRow {
  name: string;
  figures: Figures;
  /** The filter that a link to its conversations adds; undefined where the list has no such filter. */
  filter: Record<string, string> | undefined;
}

interface Named {
  say: Texts;
  apps: readonly { id: number; name: string }[];
  /** Undefined: days are written as YYYY-MM-DD. */
  format: Format | undefined;
}

/** The tables of the figures, with the names of their rows. */
export function tablesOf(
  { byApp, byChannel, byLanguage, byMode, byDay }: Insights,
  { say, apps, format }: Named,
): { name: TableName; rows: FiguresRow[] }[] {
  const words = say.insights;
  const byId = new Map(apps.map(({ id, name }) => [id, name]));
  const appRow = ({ appId, ...figures }: Insights['byApp'][number]): FiguresRow => {
    const known = appId === null ? undefined : byId.get(appId);
    const filter = known === undefined ? undefined : { app: String(appId) };
    return { name: known ?? words.noApp, figures, filter };
  };
  return [
    { name: 'app', rows: byApp.map(appRow) },
    {
      name: 'channel',
      rows: byChannel.map(({ channel, ...figures }) => ({
        name: say.conversations.channels[channel],
        figures,
        filter: { channel },
      })),
    },
    {
      name: 'language',
      rows: byLanguage.map(({ language, ...figures }) => ({
        name: words.languages[language],
        figures,
        filter: { language },
      })),
    },
    {
      name: 'mode',
      rows: byMode.map(({ mode, ...figures }) => ({
        name: words.modes[mode],
        figures,
        filter: { mode },
      })),
    },
    {
      name: 'day',
      rows: byDay.map(({ day, ...figures }) => ({
        name: format === undefined ? day : format.day(day),
        figures,
        filter: { from: day, to: day },
      })),
    },
  ];
}

const counted = [
  'questions',
  'answered',
  'unsupported',
  'up',
  'down',
  'conversations',
  'settled',
  'handedOver',
  'units',
] as const;

const words = ['firstWord', 'lastWord'] as const;

export function csvColumns({ insights }: Texts): string[] {
  const { figures, medianOf, slowestOf } = insights;
  const times = words.flatMap((name) => [medianOf(figures[name]), slowestOf(figures[name])]);
  return [...counted.map((name) => figures[name]), ...times.map((name) => `${name} (ms)`)];
}

export function figureCells({ name, figures }: FiguresRow): (string | number | undefined)[] {
  const times = words.flatMap((one) => [figures[one]?.median, figures[one]?.p95]);
  return [name, ...counted.map((one) => figures[one]), ...times];
}

/** The figures of the span beside those of the days before, as rows for a spreadsheet. */
export function beforeRows({ from, to, total, before }: Insights, say: Texts) {
  const spans = [`${from} – ${to}`, `${before.from} – ${before.to}`];
  const of = (span: string) => `${span}, ${say.insights.before.of}`;
  const columns = [say.insights.before.figure, ...spans.flatMap((span) => [span, of(span)])];
  const rows = headlines.map((one) => {
    const title = one.title(say.insights);
    const name = one.kind === 'count' ? title : `${title} (ms)`;
    return [name, ...[total, before.total].flatMap((in_) => [one.value(in_), one.of?.(in_)])];
  });
  return { columns, rows };
}
