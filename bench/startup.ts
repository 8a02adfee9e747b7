import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../src/platform/package-root.js';
import { median, round, type Measure } from './measure.js';

const rounds = 31;

/** How long commands take from their start to their end, beside Node with nothing to do. */
export async function measureStartup(): Promise<Measure> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-startup-'));
  try {
    const program = join(packageRoot(), 'bin/assistant.js');
    run(folder, [program, 'init', '--yes', '--email', 'bench@localhost.example']);
    const commands = [
      { command: 'node -e 0', args: ['-e', '0'] },
      ...['--version', '--help', 'keys list', 'knowledge list', 'doctor --help'].map((command) => ({
        command: `assistant ${command}`,
        args: [program, ...command.split(' ')],
      })),
    ].map((command) => ({ ...command, took: [] as number[] }));
    // One after the other in each round, so that the machine's moods are the same for all.
    for (let round = 0; round < rounds; round += 1) {
      for (const { args, took } of commands) took.push(run(folder, args));
    }
    const node = median(commands[0]?.took ?? []);
    return {
      name: 'startup',
      about: `Milliseconds from start to end, medians of ${rounds} rounds; of node: the share of Node with nothing to do. Targets: 1.15 for --version, 2.4 for keys list.`,
      rows: commands.map(({ command, took }) => ({
        startup: command,
        'p50 ms': round(median(took)),
        'min ms': round(Math.min(...took)),
        'of node': round(median(took) / node),
      })),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(folder: string, args: string[]): number {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ASSISTANT_'));
  const env = { ...Object.fromEntries(inherited), ASSISTANT_PASSWORD: 'only for a moment' };
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env });
  const took = performance.now() - started;
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr.toString()}`);
  return took;
}
