import type { Command } from 'commander';
import { calendarDay, wholeNumber } from '../platform/cli/arguments.js';
import { withExamples, type Cli } from '../platform/cli/cli.js';
import { table } from '../platform/cli/table.js';
import type { ChangeFilter } from './recorded-change.js';

interface ListOptions extends ChangeFilter {
  from?: string;
  to?: string;
  page: number;
  limit: number;
}

export function addAuditCommands(program: Command, cli: Cli): void {
  const audit = program.command('audit').description('what admins and operators changed');
  withExamples(
    audit
      .command('list')
      .description('list the changes, newest first')
      .option('--actor <name>', 'done by user:<id>, or by operator')
      .option(
        '--action <action>',
        'one action (batch.approve), or all on one kind of thing (batch)',
      )
      .option('--subject <name>', 'done to this, e.g. user:7')
      .option('--from <day>', 'the first day, YYYY-MM-DD in UTC', calendarDay('--from'))
      .option('--to <day>', 'the last day, YYYY-MM-DD in UTC', calendarDay('--to'))
      .option('--page <number>', 'from 1', wholeNumber('--page', 1, 1_000_000), 1)
      .option('--limit <number>', 'changes per page', wholeNumber('--limit', 1, 1000), 50),
    'assistant audit list --action user --from 2026-01-01',
    'assistant audit list --subject user:7 --json | jq ".data[].after"',
  ).action(async (options: ListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listChanges } = await import('./list-changes.js');
      const { presentChange } = await import('./audit.schema.js');
      const { page, limit } = options;
      const { items, total } = await listChanges(app, actor, options);
      const text = table(
        [
          { title: 'when', value: (change) => change.createdAt.slice(0, 16).replace('T', ' ') },
          { title: 'who', value: (change) => change.actor },
          { title: 'action', value: (change) => change.action },
          { title: 'subject', value: (change) => change.subject, flexible: true },
          { title: 'became', value: (change) => fieldsOf(change.after), flexible: true },
        ],
        items,
        out.width,
      );
      out.result({ data: items.map(presentChange), pagination: { total, page, limit } }, text);
      out.note(`${items.length} of ${total} changes`);
      return 0;
    });
  });
}

function fieldsOf(fields: Record<string, unknown> | null): string {
  return Object.entries(fields ?? {})
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}
