import type { CommandGroup } from '../../platform/cli/command-group.js';
import type { ExitCode, Session } from '../../platform/cli/cli.js';
import { table } from '../../platform/cli/table.js';
import { printable } from '../../platform/text/printable.js';
import type { ShownEntry, VisibilityReport } from './check-visibility.js';

export function addVisibilityCommand(audit: CommandGroup): void {
  audit.add({
    name: 'visibility',
    description:
      'check which callers reach which tiers, with temporary canary entries; the exit code is 1 on a leak',
    options: [['--url <url>', 'check the app of this page, and who sees which entries there']],
    answer:
      '{ url, reach: [{ credential, reaches }], entries: { public, authenticated, internal, draft }, shown: [{ id, title, visibility, shown_to }], leaks, missed }',
    examples: [
      'assistant audit visibility',
      'assistant audit visibility --url https://docs.example.com/install --json | jq .leaks',
    ],
    run: check,
  });
}

async function check({ app, actor, out }: Session, options: { url?: string }): Promise<ExitCode> {
  const { checkVisibility } = await import('./check-visibility.js');
  const report = await checkVisibility(app, actor, options);
  const { leaks, missed, counts } = report;
  const text = [reachTable(report, out.width), ...shownTable(report.shown, out.width)];
  const faults = [
    ...leaks.map((leak) => `LEAK    ${leak}`),
    ...missed.map((miss) => `missed  ${miss}`),
  ];
  out.result(
    {
      url: report.url ?? null,
      reach: reachOf(report),
      entries: counts,
      shown: report.shown.map(({ entry, shownTo }) => ({
        id: entry.uuid,
        title: entry.title,
        visibility: entry.visibility,
        shown_to: shownTo,
      })),
      leaks,
      missed,
    },
    printable([...text, ...faults].join('\n')),
  );
  if (missed.length > 0) out.note('A missed canary was not checked: some credential must find it.');
  if (leaks.length + missed.length > 0) return 1;
  out.note(`No leak: ${report.trials.length} trials, all taken back.`);
  return 0;
}

const kinds = ['public', 'authenticated', 'internal', 'draft'] as const;

/** The canaries that each credential reached, in any app by any way. */
function reachOf({ credentials, trials }: VisibilityReport) {
  return credentials.map((credential) => {
    const own = trials.filter((trial) => trial.credential === credential && trial.reached);
    return { credential, reaches: kinds.filter((kind) => own.some(({ kept }) => kept === kind)) };
  });
}

function reachTable(report: VisibilityReport, width: number): string {
  const columns = kinds.map((kind) => ({
    title: `${kind} (${report.counts[kind]})`,
    value: ({ reaches }: { reaches: readonly string[] }) => (reaches.includes(kind) ? 'yes' : '-'),
  }));
  const rows = reachOf(report);
  const name = {
    title: 'credential',
    value: (row: (typeof rows)[number]) => row.credential,
    flexible: true,
  };
  return table([name, ...columns], rows, width);
}

function shownTable(shown: ShownEntry[], width: number): string[] {
  if (shown.length === 0) return [];
  const text = table(
    [
      { title: 'tier', value: ({ entry }) => entry.visibility },
      { title: 'entry', value: ({ entry }) => entry.title, flexible: true, cut: 'start' },
      { title: 'the page shows it to', value: ({ shownTo }) => shownTo.join(', '), flexible: true },
    ],
    shown,
    width,
  );
  return ['', text];
}
