import { named, type CommandGroup } from '../platform/cli/command-group.js';
import { calendarDay, oneOf, wholeNumber } from '../platform/cli/arguments.js';
import type { Session } from '../platform/cli/cli.js';
import { table, type Column } from '../platform/cli/table.js';
import { usageChannels, type UsageChannel } from './payer.js';
import { usageGroups, type UsageGroup, type UsageRow } from './usage.js';

interface UsageOptions {
  from?: string;
  to?: string;
  by: UsageGroup[];
  app?: string;
  channel?: UsageChannel;
  user?: string;
  page: number;
  limit: number;
}

const columns: Record<UsageGroup, Column<UsageRow>> = {
  day: { title: 'day', value: (row) => row.day ?? null, time: 'day' },
  app: { title: 'app', value: (row) => String(row.appId ?? '-') },
  channel: { title: 'channel', value: (row) => row.channel ?? '' },
  user: { title: 'user', value: (row) => String(row.userId ?? '-') },
};

export function addUsageCommand(program: CommandGroup): void {
  program.add({
    name: 'usage',
    description: 'show how much was asked, its cost in units, and who pays',
    options: [
      [
        '--from <day>',
        'the first day, YYYY-MM-DD in UTC (default: the first of the month)',
        calendarDay('--from'),
      ],
      ['--to <day>', 'the last day, YYYY-MM-DD in UTC (default: today)', calendarDay('--to')],
      [
        '--by <groups>',
        `${usageGroups.join(', ')}: one or several, with commas`,
        readGroups,
        ['day'],
      ],
      ['--app <app>', `only on pages of this app (its ${named})`],
      [
        '--channel <name>',
        `only over this channel: ${usageChannels.join(', ')}`,
        oneOf('--channel', usageChannels),
      ],
      [
        '--user <user>',
        'only what this user asked (e-mail address or number), including the widget, if its person there is linked',
      ],
      ['--page <number>', 'from 1', wholeNumber('--page', 1, 1_000_000), 1],
      ['--limit <number>', 'rows per page, at most 1000', wholeNumber('--limit', 1, 1000), 100],
    ],
    answer:
      '{ data: [Usage], pagination: { total, page, limit }, totals: { messages, units, paid_by_organization, paid_by_users }, from, to }',
    examples: [
      'assistant usage --by day,channel',
      'assistant usage --from 2026-01-01 --to 2026-01-31 --by user --json | jq .totals',
    ],
    run: report,
  });
}

async function report({ app, actor, out }: Session, options: UsageOptions): Promise<0> {
  const { listUsage } = await import('./read-usage.js');
  const { presentTotals, presentUsage } = await import('./usage.schema.js');
  const { appIdNamed } = await import('../tenancy/name-site.js');
  const { getUserNamed } = await import('../accounts/users/manage-users.js');
  const { page, limit, by, user } = options;
  const appId = await appIdNamed(app, actor, options.app);
  const userId = user === undefined ? undefined : (await getUserNamed(app, actor, user)).id;
  const { items, total, totals, from, to } = await listUsage(app, actor, {
    ...options,
    appId,
    userId,
    groups: by,
  });
  const text = table(
    [
      ...by.map((group) => columns[group]),
      { title: 'messages', value: (row) => row.messages },
      { title: 'units', value: (row) => row.units },
      {
        title: 'paid by organization',
        value: (row) => row.paidByOrganization,
        spare: 1,
      },
      { title: 'by users', value: (row) => row.paidByUsers, spare: 2 },
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
}

function readGroups(text: string): UsageGroup[] {
  return [...new Set(text.split(',').map((word) => oneOf('--by', usageGroups)(word.trim())))];
}
