import type { Command } from 'commander';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { calendarDay, oneOf, wholeNumber } from '../platform/cli/arguments.js';
import { table, type Column } from '../platform/cli/table.js';
import { channels, type Channel } from './payer.js';
import { usageGroups, type UsageGroup, type UsageRow } from './usage.js';

interface UsageOptions {
  from?: string;
  to?: string;
  by: UsageGroup[];
  app?: number;
  channel?: Channel;
  user?: number;
  page: number;
  limit: number;
}

const columns: Record<UsageGroup, Column<UsageRow>> = {
  day: { title: 'day', value: (row) => row.day ?? '' },
  app: { title: 'app', value: (row) => String(row.appId ?? '-') },
  channel: { title: 'channel', value: (row) => row.channel ?? '' },
  user: { title: 'user', value: (row) => String(row.userId ?? '-') },
};

export function addUsageCommand(program: Command, cli: Cli): void {
  withExamples(
    program
      .command('usage')
      .description('what was asked, what it cost in units, and who pays')
      .option(
        '--from <day>',
        'the first day (default: the first of the month)',
        calendarDay('--from'),
      )
      .option('--to <day>', 'the last day, YYYY-MM-DD in UTC (default: today)', calendarDay('--to'))
      .option(
        '--by <groups>',
        `${usageGroups.join(', ')}: one or several, with commas`,
        readGroups,
        ['day' as const],
      )
      .option('--app <number>', 'on pages of this app alone', wholeNumber('--app', 1))
      .option(
        '--channel <name>',
        `over this channel alone: ${channels.join(', ')}`,
        oneOf('--channel', channels),
      )
      .option(
        '--user <number>',
        'asked by this user alone, in a widget too where its person is linked',
        wholeNumber('--user', 1),
      )
      .option('--page <number>', 'from 1', wholeNumber('--page', 1, 1_000_000), 1)
      .option('--limit <number>', 'rows per page', wholeNumber('--limit', 1, 1000), 100),
    'assistant usage --by day,channel',
    'assistant usage --from 2026-01-01 --to 2026-01-31 --by user --json | jq .totals',
  ).action(async (options: UsageOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listUsage } = await import('./read-usage.js');
      const { presentTotals, presentUsage } = await import('./usage.schema.js');
      const { page, limit, by, app: appId, user: userId } = options;
      const { items, total, totals, from, to } = await listUsage(app, actor, {
        ...options,
        appId,
        userId,
        groups: by,
      });
      const text = table(
        [
          ...by.map((group) => columns[group]),
          { title: 'messages', value: (row) => String(row.messages) },
          { title: 'units', value: (row) => String(row.units) },
          {
            title: 'paid by organization',
            value: (row) => String(row.paidByOrganization),
            spare: 1,
          },
          { title: 'by users', value: (row) => String(row.paidByUsers), spare: 2 },
        ],
        items,
        out.width,
      );
      const report = { totals: presentTotals(totals), from, to };
      const pagination = { total, page, limit };
      out.result({ data: items.map(presentUsage), pagination, ...report }, text);
      out.note(
        `${from} to ${to} (UTC): ${totals.messages} messages, ${totals.units} units; ${items.length} of ${total} rows`,
      );
      return 0;
    });
  });
}

function readGroups(text: string): UsageGroup[] {
  return [...new Set(text.split(',').map((word) => oneOf('--by', usageGroups)(word.trim())))];
}
