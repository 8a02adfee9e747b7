import { z } from 'zod';
import { readInsights, type Insights } from '../../insights/read-insights.js';
import { listAppChoices } from '../../tenancy/app-choices.js';
import { fileHeaders } from '../../platform/http/file-headers.js';
import { csvRow, type Cell } from '../../platform/text/csv.js';
import { page, type Sent } from '../page.js';
import { countedChannels, inputOf, insightsQuery } from './insights-query.js';
import { InsightsView } from './insights-view.js';
import { beforeRows, csvColumns, figureCells, tablesOf, tables } from './insights-tables.js';

export const insightsPages = [
  page({
    path: '/insights',
    access: 'conversations.read_all',
    query: insightsQuery,
    async show(app, { actor, query, say }) {
      const insights: Insights = await readInsights(app, actor, inputOf(query));
      const apps = await listAppChoices(app, actor);
      return {
        title: say.insights.title,
        body: (
          <InsightsView insights={insights} query={query} apps={apps} channels={countedChannels} />
        ),
      };
    },
  }),
  page({
    path: '/insights/:table.csv',
    access: 'conversations.read_all',
    params: z.object({ table: z.enum([...tables, 'before']) }),
    query: insightsQuery,
    async show(app, { actor, params, query, say }) {
      const insights = await readInsights(app, actor, inputOf(query));
      const { table } = params;
      const fileName = `${table}-${insights.from}-${insights.to}`;
      if (table === 'before') {
        const { columns, rows } = beforeRows(insights, say);
        return csvFile(fileName, columns, rows);
      }
      const apps = await listAppChoices(app, actor);
      const found = tablesOf(insights, { say, apps, format: undefined }).find(
        ({ name }) => name === table,
      );
      const columns = [say.insights.tables[table], ...csvColumns(say)];
      const rows = (found?.rows ?? []).map((row) => figureCells(row));
      return csvFile(fileName, columns, rows);
    },
  }),
];

/** A table as a file for spreadsheets. */
function csvFile(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Sent {
  return { headers: fileHeaders(name, 'csv'), body: [columns, ...rows].map(csvRow).join('') };
}
