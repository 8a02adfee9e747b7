import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { configSchema } from '../src/platform/config/schema.js';
import { addAccount } from '../test/support/accounts.js';
import { addOrganization, serveTestApp } from '../test/support/test-app.js';
import type { Visit, Waited } from './ask-meanwhile.js';
import { observe, type Seen } from './event-loop.js';
import { percentile, round, type Measure, type Row } from './measure.js';
import { addSampleEntries, entryCount, pagesOf, questions } from './sample-entries.js';
import { startBareKoa } from './server-process.js';

/** What attackers do. */
const floods = [
  'sign-ins',
  'big JSON',
  'invalid bodies',
  'slow bodies',
  'half-open sockets',
] as const;
export type Flood = (typeof floods)[number];

const seconds = 30;
/** Signed-in people who ask, so that none meets a limit of their own. */
const people = 8;

/** What the attackers do in each row, one after the other. */
const rounds: readonly Flood[][] = [[], ...floods.map((flood) => [flood]), [...floods]];

/**
 * What others wait while attackers flood the server, and, to tell what the machine has to do with it, while the same
 * attackers flood a bare server beside it at the same pace. Targets: p99 < 100 ms; event loop p99 ≤ 20 ms with invalid
 * bodies.
 */
export async function measureFlood(): Promise<Measure> {
  // As it is installed: what is refused by the limits is part of what is measured.
  const { limits } = configSchema.parse({});
  const test = await serveTestApp({ limits, answers: { mode: 'extractive' } });
  const bare = await startBareKoa();
  try {
    const acme = await addOrganization(test);
    await addSampleEntries(test.app, acme);
    const pages = pagesOf(acme.domain);
    const accounts = await Promise.all(
      Array.from({ length: people }, (_, index) => addAccount(test, acme, `Person${index}`)),
    );
    const mallory = await addAccount(test, acme, 'Mallory');
    const visits: Visit[] = [
      {
        name: 'page query',
        perSecond: 40,
        requests: pages.map((url) => ({
          method: 'GET',
          path: `/api/knowledge/page?url=${encodeURIComponent(url)}`,
          headers: {},
        })),
      },
      {
        name: 'answer',
        perSecond: 10,
        requests: questions.map((message, index) => ({
          method: 'POST',
          path: '/api/conversations/message',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${accounts[index % people]?.token ?? ''}`,
          },
          body: JSON.stringify({ message, context: { url: pages[index] ?? '', title: 'Station' } }),
        })),
      },
    ];
    await visitDuring(test.url, visits);
    const rows: Row[] = [];
    let idle = 0;
    for (const chosen of rounds) {
      const attack = { chosen, token: mallory.token };
      const own = await flooded(test.url, visits, { ...attack, attacked: test.url, pace: 0 });
      if (chosen.length === 0) idle = own.serverCpu;
      const beside =
        chosen.length === 0
          ? undefined
          : await flooded(test.url, visits, { ...attack, attacked: bare.url, pace: own.perSecond });
      rows.push(rowOf(chosen, own, beside, idle));
    }
    return {
      name: 'flood',
      about: `what others wait, in ms, while attackers do nothing but one of these, or all at once, for ${seconds} s each, at the limits of a new installation; ${entryCount} entries; 40 page queries and 10 quoted answers a second; "beside": while the same attackers flood a bare Koa server at the same pace instead; CPU in ms that one attack costs the server and the attacker; targets: p99 under 100, loop p99 with invalid bodies at most 20`,
      rows,
    };
  } finally {
    await bare.stop();
    await test.close();
  }
}

/** What the attackers have done, told at the end. */
export interface Sent {
  sent: number;
  seconds: number;
  cpuMs: number;
}

export interface Attack {
  chosen: readonly Flood[];
  token: string;
  attacked: string;
  /** Requests and connections a second at most; 0 for as many as are answered. */
  pace: number;
}

interface Flooded {
  waited: Waited;
  loop: Seen;
  perSecond: number;
  /** Milliseconds of CPU a second. */
  serverCpu: number;
  attackerCpu: number;
}

async function flooded(url: string, visits: Visit[], attack: Attack): Promise<Flooded> {
  const program = fileURLToPath(new URL('./generate-flood.js', import.meta.url));
  const flood = fork(program, [JSON.stringify(attack)]);
  try {
    await wait(1000);
    let waited: Waited = {};
    const before = process.cpuUsage();
    const loop = await observe(async () => {
      waited = await visitDuring(url, visits);
    });
    const cpu = process.cpuUsage(before);
    flood.send('stop');
    const [told] = (await once(flood, 'message')) as [Sent];
    return {
      ...{ waited, loop },
      perSecond: told.sent / told.seconds,
      serverCpu: (cpu.user + cpu.system) / 1000 / loop.seconds,
      attackerCpu: told.cpuMs / told.seconds,
    };
  } finally {
    flood.kill('SIGKILL');
    // Until the server has seen the connections end.
    await wait(500);
  }
}

/** `idle` is the CPU that the server takes when nobody attacks it. */
function rowOf(
  chosen: readonly Flood[],
  { waited, loop, perSecond, serverCpu, attackerCpu }: Flooded,
  beside: Flooded | undefined,
  idle: number,
): Row {
  const attacked = perSecond > 0;
  const figures = Object.entries(waited).map(([name, { ms }]) => ({
    [`${name} p50`]: percentile(ms, 50),
    [`${name} p99`]: percentile(ms, 99),
    [`${name} p99 beside`]: percentile(beside?.waited[name]?.ms ?? [], 99),
  }));
  return {
    flood: chosen.length > 1 ? 'all at once' : (chosen[0] ?? 'none'),
    'sent/s': Math.round(perSecond),
    ...(Object.assign({}, ...figures) as Row),
    failed: Object.values(waited).reduce((sum, { failed }) => sum + failed, 0),
    'loop p99': loop.p99,
    'loop max': loop.max,
    'server CPU': attacked ? round((serverCpu - idle) / perSecond) : 0,
    'attacker CPU': attacked ? round(attackerCpu / perSecond) : 0,
  };
}

async function visitDuring(url: string, visits: Visit[]): Promise<Waited> {
  const program = fileURLToPath(new URL('./ask-meanwhile.js', import.meta.url));
  const child = fork(program, [url, JSON.stringify(visits), String(seconds)]);
  const [waited] = (await once(child, 'message')) as [Waited];
  child.kill();
  return waited;
}
