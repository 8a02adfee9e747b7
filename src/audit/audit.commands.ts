import type { CommandGroup } from '../platform/cli/command-group.js';
import { calendarDay } from '../platform/cli/arguments.js';
import type { Page } from '../platform/db/select-page.js';
import type { ChangeFilter } from './recorded-change.js';

interface Filter extends Page, ChangeFilter {
  from?: string;
  to?: string;
}

export function addAuditCommands(program: CommandGroup): CommandGroup {
  const description = 'what admins and operators changed, and who can see what';
  const audit = program.group('audit', description);
  audit.list({
    things: 'changes',
    description: 'list the changes, newest first',
    options: [
      ['--actor <name>', 'only changes by user:<id> or operator'],
      [
        '--action <action>',
        'only one action (batch.approve), or all actions on one kind of thing (batch)',
      ],
      ['--subject <name>', 'only changes of this, e.g. user:7'],
      ['--from <day>', 'the first day, YYYY-MM-DD in UTC', calendarDay('--from')],
      ['--to <day>', 'the last day, YYYY-MM-DD in UTC', calendarDay('--to')],
    ],
    examples: [
      'assistant audit list --action user --from 2026-01-01',
      'assistant audit list --subject user:7 --json | jq ".data[].after"',
    ],
    async load({ app, actor }, filter: Filter) {
      const { listChanges } = await import('./list-changes.js');
      const { presentChange } = await import('./list-changes.js');
      const found = await listChanges(app, actor, filter);
      const isVain = filter.actor !== undefined && found.total === 0;
      const notes = isVain ? ['Users are named by their numbers: assistant users list'] : [];
      return { ...found, present: presentChange, notes };
    },
    columns: [
      { title: 'when', value: ({ createdAt }) => createdAt, time: 'minute' },
      { title: 'who', value: ({ actor }) => actor, flexible: true },
      { title: 'action', value: ({ action }) => action, flexible: true },
      { title: 'subject', value: ({ subject }) => subject, flexible: true },
      { title: 'became', value: ({ after }) => fieldsOf(after), flexible: true, spare: 1 },
    ],
  });
  return audit;
}

function fieldsOf(fields: Record<string, unknown> | null): string {
  return Object.entries(fields ?? {})
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}
