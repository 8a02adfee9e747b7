import type { CommandGroup } from '../../platform/cli/command-group.js';
import type { ConfigSession, ExitCode } from '../../platform/cli/cli.js';
import { AppError } from '../../platform/errors.js';

interface UpgradeOptions {
  check?: boolean;
  estimate?: boolean;
}

export function addUpgradeCommand(program: CommandGroup): void {
  program.addConfig({
    name: 'upgrade',
    description:
      'bring the database up to the installed version: a copy, the migrations, the doctor (--check: only say what would happen)',
    options: [
      ['--check', 'change nothing: rehearse on a copy, and say what to do and how long it takes'],
      ['--estimate', 'with --check: estimate the time, without a copy'],
    ],
    answer:
      '{ applied?, backup?, checks?, up_to_date?, installed?, newest?, pending?: [{ name, about }], time?, rehearsal?, space?, steps?: [{ does, command }] }; the first three without --check, the others with it',
    examples: [
      'assistant upgrade --check',
      'assistant upgrade --check --estimate',
      'assistant upgrade',
      'assistant upgrade --check --json | jq .pending',
    ],
    async run(session: ConfigSession, options: UpgradeOptions) {
      if (options.check === true) return check(session, options.estimate === true);
      if (options.estimate === true) {
        throw new AppError('usage', '--estimate: give it with --check.');
      }
      return upgrade(session);
    },
  });
}

async function check(
  { config, configFile, out, interrupted }: ConfigSession,
  estimate: boolean,
): Promise<ExitCode> {
  const { planUpgrade } = await import('./plan-upgrade.js');
  const { describePlan, presentPlan } = await import('./present-upgrade.js');
  const onStep = (what: string) => out.note(what);
  const plan = await planUpgrade(config, { configFile, estimate, onStep, signal: interrupted });
  out.result(presentPlan(plan), describePlan(plan));
  const { rehearsal, space } = plan;
  const fails = (rehearsal?.failure ?? null) !== null || space.freeBytes < space.neededBytes;
  return fails ? 1 : 0;
}

export async function upgrade({ config, out, interrupted }: ConfigSession): Promise<ExitCode> {
  const { upgradeDatabase } = await import('./upgrade-database.js');
  const { describeUpgraded } = await import('./present-upgrade.js');
  const { examineDatabase } = await import('../examine-database.js');
  const upgraded = await upgradeDatabase(config, {
    onStep: (what) => out.note(what),
    signal: interrupted,
  });
  if (interrupted.aborted) out.note('The upgrade was done before the interruption.');
  const checks = await examineDatabase(config, { quick: true });
  const { presentCheck } = await import('../doctor.schema.js');
  const document = { ...upgraded, checks: checks.map(presentCheck) };
  out.result(document, describeUpgraded(upgraded, checks));
  return checks.some(({ status }) => status === 'failed') ? 1 : 0;
}
