import { parseArgs } from 'node:util';
import { runProgram } from '../../bench/run-program.js';
import { table } from '../../src/platform/cli/table.js';
import { openArena } from '../properties/arena.js';
import { attack, type AttackSize } from './attack.js';
import type { DoorCount } from './tally.js';

const usual: AttackSize = {
  ...{ seed: 20_260_301, draws: 6, words: 80 },
  ...{ questions: 8, commands: 12, walks: 6 },
};

const usage = {
  command: 'npm run attack --',
  about:
    'Starts a server with two organizations on this machine, tries all its doors for what the caller may not see, and prints the counts. Exits with 1 on a leak or a failure of the server.',
  options: { '--seed <number>': `of the generated requests (default: ${usual.seed})` },
};

await runProgram(usage, async () => {
  const { values } = parseArgs({ options: { seed: { type: 'string' } } });
  const started = performance.now();
  const arena = await openArena();
  try {
    const tally = await attack(arena, { ...usual, seed: Number(values.seed ?? usual.seed) });
    for (const { door, what } of tally.findings) console.log(`\n${door}: ${what}`);
    const columns = (['door', 'checks', 'refused', 'findings'] as const).map((title) => ({
      title,
      value: (row: DoorCount) => String(row[title]),
    }));
    console.log(`\n${table(columns, tally.doors, 200)}`);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${tally.checks} checks in ${seconds} s, ${tally.findings.length} findings`);
    if (tally.findings.length > 0) process.exitCode = 1;
  } finally {
    await arena.close();
  }
});
