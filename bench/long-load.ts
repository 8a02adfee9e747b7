import { setTimeout as wait } from 'node:timers/promises';
import { findLosses, startLoad, type Load } from '../test/support/acknowledged.js';
import { createChance } from '../test/support/chance.js';
import { startCluster } from '../test/support/cluster.js';
import { findProgram } from '../test/browser/support/find-program.js';
import { median, round } from './measure.js';

/*
 * The installation of templates/examples/several-servers under a load of visitors, while processes are killed at random.
 * Counts afterwards what was acknowledged, and prints how long nothing was stored around each fault. Ends with 1 if
 * anything is missing, there twice, or was answered wrongly.
 */

const setting = (name: string, usual: number) => Number(process.env[`LOAD_${name}`] ?? usual);
const visitors = setting('VISITORS', 200);
const minutes = setting('MINUTES', 10);
const faults = setting('FAULTS', 110);
/** The pause of a visitor between two steps, half to one and a half times as long, in milliseconds. */
const pauseMs = setting('PAUSE_MS', 8000);
const chance = createChance(setting('SEED', 22));

/** How often each of ten faults happens. */
const shares = {
  'a server is killed': 4,
  'a worker is killed': 2,
  'connections are cut': 2,
  'PostgreSQL crashes': 1,
  'a standby is promoted': 1,
};

const haproxy = findProgram({
  ...{ name: 'HAProxy', variable: 'HAPROXY_PATH', packages: ['haproxy'] },
  ...{ asked: '-v', answers: /HAProxy version/, paths: ['/usr/sbin/haproxy'] },
});
const cluster = await startCluster({ workers: 1, chance, haproxy });
try {
  const load = startLoad(cluster, { visitors, pauseMs });
  const chosen = Object.entries(shares).flatMap(([name, share]) =>
    Array.from({ length: Math.ceil((faults * share) / 10) }, () => name),
  );
  for (let last = chosen.length - 1; last > 0; last--) {
    const other = Math.floor(chance() * (last + 1));
    [chosen[last], chosen[other]] = [chosen[other] ?? '', chosen[last] ?? ''];
  }
  const began = performance.now();
  const interval = (minutes * 60_000) / chosen.length;
  let told = 0;
  const gaps = new Map<string, { whole: number[]; after: number[] }>();
  for (const [index, name] of chosen.entries()) {
    await wait(Math.max(200, began + (index + chance()) * interval - performance.now()));
    const from = performance.now();
    console.error(new Date().toISOString(), name);
    await cluster.faults[name]?.();
    const gap = await measureGap(load, from, performance.now());
    const known = gaps.get(name) ?? { whole: [], after: [] };
    known.whole.push(gap.whole);
    known.after.push(gap.after);
    gaps.set(name, known);
    for (; told < cluster.wrong.length; told++) console.error(`${name}: ${cluster.wrong[told]}`);
  }
  await load.stop();
  const seconds = round((performance.now() - began) / 1000);
  console.table(
    Object.fromEntries(
      [...gaps].map(([name, { whole, after }]) => [
        name,
        {
          times: whole.length,
          'nothing stored, ms': median(whole),
          'at most': Math.max(...whole),
          'after its end, ms': median(after),
          'then at most': Math.max(...after),
        },
      ]),
    ),
  );
  const { batches, questions, requests } = load.acknowledged;
  const count = (list: { isAnswered?: boolean; isResolved?: boolean }[]) =>
    list.filter((one) => one.isAnswered ?? one.isResolved).length;
  console.log(
    `${visitors} visitors, ${seconds} s, ${chosen.length} faults. Acknowledged: ${batches.length} uploads, ${questions.length} questions, ${count(questions)} answers, ${requests.length} requests, ${count(requests)} resolutions.`,
  );
  const losses = await findLosses(cluster, load.acknowledged);
  const wrong = [...cluster.wrong, ...losses];
  console.log(wrong.length === 0 ? 'Everything is there exactly once.' : wrong.join('\n'));
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await cluster.stop();
}

/** The longest time without anything stored from a fault to the first thing after its end, and the last part of it. */
async function measureGap(
  { storedAt }: Load,
  from: number,
  to: number,
): Promise<{ whole: number; after: number }> {
  while ((storedAt.at(-1) ?? 0) <= to) await wait(20);
  const seen = [from, ...storedAt.filter((at) => at > from)];
  const next = seen.findIndex((at) => at > to);
  const steps = seen.slice(0, next + 1).map((at, index) => at - (seen[index - 1] ?? at));
  return { whole: Math.round(Math.max(...steps)), after: Math.round((seen[next] ?? to) - to) };
}
