import type { Figures, Insights } from '../../insights/read-insights.js';
import type { Format } from '../texts/format.js';
import type { Texts } from '../texts/en.js';

export const tables = ['app', 'channel', 'language', 'day'] as const;
export type TableName = (typeof tables)[number];

export interface FiguresRow {
  name: string;
  figures: Figures;
  /** What a link to its conversations adds to the filter; undefined where the list has no such filter. */
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
  { byApp, byChannel, byLanguage, byDay }: Insights,
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
        ...{ name: say.conversations.channels[channel], figures, filter: { channel } },
      })),
    },
    {
      name: 'language',
      rows: byLanguage.map(({ language, ...figures }) => ({
        ...{ name: words.languages[language], figures, filter: { language } },
      })),
    },
    {
      name: 'day',
      rows: byDay.map(({ day, ...figures }) => ({
        ...{ name: format === undefined ? day : format.day(day), figures },
        filter: { from: day, to: day },
      })),
    },
  ];
}

const counted = [
  ...(['questions', 'answered', 'unsupported', 'up', 'down'] as const),
  ...(['conversations', 'settled', 'handedOver', 'units'] as const),
];

export function csvColumns(say: Texts): string[] {
  return counted.map((name) => say.insights.figures[name]);
}

export function csvRow({ name, figures }: FiguresRow): (string | number | undefined)[] {
  return [name, ...counted.map((one) => figures[one])];
}
