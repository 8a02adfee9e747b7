import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgres } from '../../src/platform/db/open-postgres.js';
import type { Database } from '../../src/platform/db/database.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { startCutProxy } from './cut-proxy.js';
import { startOllamaStandIn, type OllamaStandIn } from './ollama-stand-in.js';
import { createDatabase, freePort, startPostgres } from './postgres-server.js';
import { makeInitialized, type RunningCli } from './run-cli.js';

/** A process that is started again whenever it was killed. */
export interface ClusterProcess {
  args: string[];
  running: RunningCli;
  /** Where a server answers. */
  url: string;
  /** How often it was killed, and whether it is down at the moment. */
  kills: number;
  isDown: boolean;
}

/** Servers and workers as processes of their own, behind one address of PostgreSQL. */
export interface Cluster {
  servers: ClusterProcess[];
  models: OllamaStandIn;
  /** The database, at the address that follows promotions. */
  db: Database;
  /** An access token of its administrator. */
  token: string;
  /** A public widget key for docs.acme.example. */
  key: string;
  /** The address of a load balancer, or of the next server; and whether it may have lost requests since. */
  next(): { url: string; isLost: () => boolean };
  /** What a command prints. Fails if the command fails. */
  passes(args: string[]): Promise<string>;
  /** What may happen to it, by name. Resolves when whatever was killed has started again. */
  faults: Record<string, () => Promise<void>>;
  /** What no client should have seen, and no process should have done. */
  wrong: string[];
  /** The lines about a request in the logs of the servers. */
  logOf(requestId: string): string[];
  stop(): Promise<void>;
}

export interface ClusterOptions {
  workers: number;
  /** A number from 0 to 1, as faults choose what they meet. */
  chance: () => number;
  /** The program of HAProxy, with the configuration of the example. Default: clients choose a server. */
  haproxy?: string;
}

/** Two servers. */
export async function startCluster({ workers, chance, haproxy }: ClusterOptions): Promise<Cluster> {
  let postgres = await startPostgres(true);
  const models = await startOllamaStandIn({ firstTokenDelayMs: 100 });
  const installation = await makeInitialized();
  const { url } = await createDatabase(postgres.url);
  const address = new URL(url);
  const proxy = await startCutProxy(Number(address.port));
  address.port = String(proxy.port);
  const db = openPostgres(address.href, 2);
  const env = {
    ASSISTANT_DATABASE_URL: address.href,
    ASSISTANT_DATABASE_BUSY_TIMEOUT_MS: '2000',
    ASSISTANT_INGESTION_WORKER: 'false',
    ASSISTANT_INGESTION_THREADS: '1',
    // A machine with other work may be late to renew a shorter one. Leases of killed processes end at once here.
    ASSISTANT_INGESTION_LEASE_MS: '10000',
    ASSISTANT_OLLAMA_URL: models.url,
    // Two at a time would be what visitors wait for.
    ASSISTANT_OLLAMA_CONCURRENCY: '16',
    ASSISTANT_SERVER_TRUST_PROXY: haproxy === undefined ? '0' : '1',
    ASSISTANT_WIDGET_SOCKETS_PER_ADDRESS: '0',
    ...Object.fromEntries(
      ['ADDRESS', 'USER', 'KEY', 'MESSAGES', 'REQUESTS', 'UPLOADS'].map((limit) => [
        `ASSISTANT_LIMITS_${limit}_PER_MINUTE`,
        '0',
      ]),
    ),
    ASSISTANT_LIMITS_ANSWERS_AT_ONCE: '0',
  };
  const wrong: string[] = [];

  const passes = async (args: string[]) => {
    const { code, stdout, stderr } = await installation.run(args, { env });
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  /** As a service manager does, starts it again until it stays. */
  const launch = async (process: ClusterProcess): Promise<void> => {
    const [command = ''] = process.args;
    for (;;) {
      const running = installation.start(process.args, env);
      process.running = running;
      try {
        const ready = command === 'serve' ? /serves at (http:\S+?)[.,]?\s/ : /waits for uploads/;
        process.url = (await running.until(ready))[1] ?? '';
      } catch {
        const { stderr } = await running.ended;
        // The database was away. Any other end is wrong.
        if (!/PostgreSQL does not answer/.test(stderr)) wrong.push(`${command}: ${stderr}`);
        await wait(200);
        continue;
      }
      process.isDown = false;
      const { kills } = process;
      void running.ended.then(({ code, signal, stderr }) => {
        if (process.kills === kills) {
          wrong.push(`${command} ended by itself (${code ?? signal}): ${stderr}`);
        }
      });
      return;
    }
  };
  const start = async (args: string[]): Promise<ClusterProcess> => {
    const process = { args, url: '', kills: 0, isDown: true } as Partial<ClusterProcess>;
    await launch(process as ClusterProcess);
    return process as ClusterProcess;
  };
  const kill = async (process: ClusterProcess): Promise<void> => {
    process.kills += 1;
    process.isDown = true;
    process.running.child.kill('SIGKILL');
    await process.running.ended;
    await launch(process);
  };
  const pick = <T>(list: T[]): T => list[Math.floor(chance() * list.length)] as T;

  await passes(['migrate', '--from', 'sqlite:data/assistant.sqlite']);
  const entry = ['knowledge', 'create', '--title', 'Animals', '--domain', 'docs.acme.example'];
  const shown = ['--status', 'published', '--visibility', 'public'];
  await passes([...entry, ...shown, '--content', 'The quokka is in the garden.']);
  const minted = ['tokens', 'create', '--user', 'ada@acme.example', '--name', 'test', '--json'];
  const { token } = JSON.parse(await passes(minted)) as { token: string };
  const keyed = ['keys', 'create', '--name', 'test', '--json'];
  const { key } = JSON.parse(await passes(keyed)) as { key: string };
  const servers: ClusterProcess[] = [];
  const others: ClusterProcess[] = [];
  for (let number = 0; number < 2; number++) {
    const port = haproxy === undefined ? 0 : await freePort();
    servers.push(await start(['serve', '--port', String(port)]));
  }
  for (let number = 0; number < workers; number++) others.push(await start(['worker']));
  const balancer =
    haproxy === undefined ? undefined : await startBalancer(haproxy, installation.folder, servers);

  let turn = 0;
  return {
    ...{ servers, models, db, token, key, passes, wrong },
    next() {
      if (balancer !== undefined) return { url: balancer.url, isLost: () => true };
      const server = servers[turn++ % servers.length] as ClusterProcess;
      const { kills, isDown, url } = server;
      return { url, isLost: () => isDown || server.kills !== kills };
    },
    logOf: (id) =>
      servers.flatMap(({ running }) =>
        running
          .stderr()
          .split('\n')
          .filter((line) => line.includes(id)),
      ),
    faults: {
      'a server is killed': () => kill(pick(servers)),
      'a worker is killed': () => kill(pick(others)),
      'PostgreSQL crashes': () => postgres.crash(),
      'connections are cut'() {
        proxy.cut(chance() < 0.5);
        return Promise.resolve();
      },
      async 'a standby is promoted'() {
        const standby = await postgres.follow();
        await postgres.kill();
        // The address may move first, and then leads to a server that only reads.
        proxy.lead(Number(new URL(standby.url).port));
        proxy.cut();
        await wait(chance() * 500);
        await standby.promote();
        await postgres.stop();
        postgres = standby;
      },
    },
    async stop() {
      balancer?.child.kill();
      await installation.remove();
      await db.close();
      await models.stop();
      await proxy.stop();
      await postgres.stop();
    },
  };
}

/** Starts HAProxy as the example has it, but for names of machines, which containers find by themselves. */
async function startBalancer(
  program: string,
  folder: string,
  servers: ClusterProcess[],
): Promise<{ url: string; child: ChildProcess }> {
  const example = join(packageRoot(), 'templates/examples/several-servers/haproxy.cfg');
  const port = await freePort();
  let text = (await readFile(example, 'utf8'))
    .replace('bind :8000', `bind 127.0.0.1:${port}`)
    .replace(/resolvers system\n *parse-resolv-conf\n/, '')
    .replace(' resolvers system init-addr libc,none resolve-opts allow-dup-ip', '');
  servers.forEach(({ url }, index) => {
    text = text.replaceAll(`server-${index + 1}:8080`, new URL(url).host);
  });
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, text);
  const child = spawn(program, ['-f', file], { stdio: 'ignore' });
  await once(child, 'spawn');
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => (await fetch(`${url}/health/ready`)).ok;
  while (!(await isReady().catch(() => false))) await wait(100);
  return { url, child };
}
