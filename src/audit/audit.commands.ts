import type { Command } from 'commander';
import { calendarDay } from '../platform/cli/arguments.js';
import { withExamples, type AddCommands, type Cli } from '../platform/cli/cli.js';
import { minuteOf, showList, withPaging, type ListOptions } from '../platform/cli/list.js';
import type { ChangeFilter } from './recorded-change.js';

interface ChangeListOptions extends ListOptions, ChangeFilter {
  from?: string;
  to?: string;
}

/** `addFurther` adds those of a feature above this one. */
export function addAuditCommands(
  program: Command,
  cli: Cli,
  addFurther: readonly AddCommands[] = [],
): void {
  const audit = program
    .command('audit')
    .description('what admins and operators changed, and who reaches what');
  withExamples(
    withPaging(audit.command('list'), 'changes')
      .description('list the changes, newest first')
      .option('--actor <name>', 'done by user:<id>, or by operator')
      .option(
        '--action <action>',
        'one action (batch.approve), or all on one kind of thing (batch)',
      )
      .option('--subject <name>', 'done to this, e.g. user:7')
      .option('--from <day>', 'the first day, YYYY-MM-DD in UTC', calendarDay('--from'))
      .option('--to <day>', 'the last day, YYYY-MM-DD in UTC', calendarDay('--to')),
    'assistant audit list --action user --from 2026-01-01',
    'assistant audit list --subject user:7 --json | jq ".data[].after"',
  ).action(async (options: ChangeListOptions, command: Command) => {
    await cli.withApp(command, async ({ app, actor, out }) => {
      const { listChanges } = await import('./list-changes.js');
      const { presentChange } = await import('./audit.schema.js');
      const changes = await listChanges(app, actor, options);
      if (options.actor !== undefined && changes.total === 0) {
        out.note(
          `No change on record is by ${options.actor}. People’s numbers: assistant users list`,
        );
      }
      return showList(out, changes, options, {
        things: 'changes',
        columns: [
          { title: 'when', value: (change) => minuteOf(change.createdAt) },
          { title: 'who', value: (change) => change.actor, flexible: true },
          { title: 'action', value: (change) => change.action, flexible: true },
          { title: 'subject', value: (change) => change.subject, flexible: true },
          { title: 'became', value: (change) => fieldsOf(change.after), flexible: true, spare: 1 },
        ],
        present: presentChange,
      });
    });
  });
  for (const add of addFurther) add(audit, cli);
}

function fieldsOf(fields: Record<string, unknown> | null): string {
  return Object.entries(fields ?? {})
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}
