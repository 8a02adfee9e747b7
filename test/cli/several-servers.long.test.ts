import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgres } from '../../src/platform/db/open-postgres.js';
import type { Database } from '../../src/platform/db/database.js';
import { createChance } from '../support/chance.js';
import { startCutProxy, type CutProxy } from '../support/cut-proxy.js';
import { openEventStream } from '../support/event-reader.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { createDatabase, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { makeInitialized, type RunningCli, type TestInstallation } from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

const faults = Number(process.env['ASSISTANT_TEST_FAULTS'] ?? 14);
const seed = Number(process.env['ASSISTANT_TEST_SEED'] ?? 22);

/** Longer than any wait that the settings below allow: who waits so long hangs. */
const hangMs = 45_000;

/** A process that is started again whenever it was killed. */
interface Process {
  args: string[];
  running: RunningCli;
  /** Where a server answers. */
  url: string;
  /** How often it was killed, and whether it is down at the moment. */
  kills: number;
  isDown: boolean;
}

describe('Two servers and two workers on PostgreSQL', () => {
  let postgres: PostgresServer;
  let proxy: CutProxy;
  let models: OllamaStandIn;
  let installation: TestInstallation;
  let direct: Database;
  let env: Record<string, string>;
  let token: string;
  const servers: Process[] = [];
  const workers: Process[] = [];
  /** What no client should have seen, and no process should have done. */
  const wrong: string[] = [];

  before(async () => {
    postgres = await startPostgres(true);
    models = await startOllamaStandIn({ firstTokenDelayMs: 100 });
    installation = await makeInitialized();
    const { url } = await createDatabase(postgres.url);
    direct = openPostgres(url, 2);
    const there = new URL(url);
    proxy = await startCutProxy(Number(there.port));
    there.port = String(proxy.port);
    env = {
      ASSISTANT_DATABASE_URL: there.href,
      ASSISTANT_DATABASE_BUSY_TIMEOUT_MS: '2000',
      ASSISTANT_INGESTION_WORKER: 'false',
      ASSISTANT_INGESTION_THREADS: '1',
      ASSISTANT_OLLAMA_URL: models.url,
    };
    await passes(['migrate', '--from', 'sqlite:data/assistant.sqlite']);
    const entry = ['knowledge', 'create', '--title', 'Animals', '--domain', 'docs.acme.example'];
    await passes([...entry, '--status', 'published', '--content', 'The quokka is in the garden.']);
    const minted = ['tokens', 'create', '--user', 'ada@acme.example', '--name', 'test', '--json'];
    ({ token } = JSON.parse(await passes(minted)) as { token: string });
    for (const _ of [1, 2]) {
      servers.push(await start(['serve', '--port', '0']));
      workers.push(await start(['worker']));
    }
  });
  after(async () => {
    await installation.remove();
    await direct.close();
    await models.stop();
    await proxy.stop();
    await postgres.stop();
  });

  const passes = async (args: string[]) => {
    const { code, stdout, stderr } = await installation.run(args, { env });
    assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  const start = async (args: string[]): Promise<Process> => {
    const process = { args, url: '', kills: 0, isDown: true } as Partial<Process> as Process;
    await launch(process);
    return process;
  };
  /** As a service manager does, starts it again until it stays. */
  const launch = async (process: Process): Promise<void> => {
    for (;;) {
      const running = installation.start(process.args, env);
      process.running = running;
      const isServer = process.args[0] === 'serve';
      try {
        const ready = isServer ? /serves at (http:\S+?)[.,]?\s/ : /waits for uploads/;
        process.url = (await running.until(ready))[1] ?? '';
      } catch {
        const { stderr } = await running.ended;
        // The database was away. Any other end is wrong.
        if (!/PostgreSQL does not answer/.test(stderr)) wrong.push(`${process.args[0]}: ${stderr}`);
        await wait(200);
        continue;
      }
      process.isDown = false;
      const { kills } = process;
      void running.ended.then(({ code, signal, stderr }) => {
        if (process.kills === kills) {
          wrong.push(`${process.args[0]} ended by itself (${code ?? signal}): ${stderr}`);
        }
      });
      return;
    }
  };
  const kill = async (process: Process): Promise<void> => {
    process.kills += 1;
    process.isDown = true;
    process.running.child.kill('SIGKILL');
    await process.running.ended;
    await launch(process);
  };

  let turn = 0;
  /** The answer of the next server, or undefined where the client was told to try again, or lost its server. */
  const call = async <T>(
    method: string,
    path: string,
    sent: object | FormData,
  ): Promise<T | undefined> => {
    const server = servers[turn++ % servers.length] as Process;
    const { kills, isDown } = server;
    const isForm = sent instanceof FormData;
    try {
      const reply = await fetch(`${server.url}/api/${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        },
        body: isForm ? sent : JSON.stringify(sent),
        signal: AbortSignal.timeout(hangMs),
      });
      const text = await reply.text();
      if (reply.ok) return JSON.parse(text) as T;
      const isRetryable = reply.status === 503 && reply.headers.has('Retry-After');
      if (!isRetryable) {
        const id = (JSON.parse(text) as { request_id: string }).request_id;
        const log = server.running
          .stderr()
          .split('\n')
          .filter((line) => line.includes(id));
        wrong.push([`${method} ${path}: ${reply.status} ${text}`, ...log].join('\n'));
      }
    } catch (error) {
      const isKilled = isDown || server.kills !== kills;
      if (!isKilled)
        wrong.push(`${method} ${path}: ${String(error)} ${String((error as Error).cause)}`);
    }
    // As a client does that was asked to wait.
    await wait(100);
    return undefined;
  };

  it('let an answer be read on, resumed and cancelled at another server than the one that makes it', async () => {
    const [one, two] = servers.map(({ url }) => `${url}/api/conversations`) as [string, string];
    models.stallAfter = 2;
    try {
      const ask = async (message: string) => {
        const body = { message, context: { url: 'https://docs.acme.example/', title: 'T' } };
        const reader = await openEventStream(`${one}/message`, { token, body });
        const seen = await reader.until(({ event }) => event === 'started');
        const { data } = seen.at(-1) as { data: { conversationId: string; questionId: number } };
        await models.until(() => models.running > 0);
        return { reader, path: `${data.conversationId}/messages/${data.questionId}` };
      };
      const first = await ask('Where is the quokka?');
      first.reader.leave();
      const from = { token, lastEventId: 1 };
      const elsewhere = await openEventStream(`${two}/${first.path}/events`, from);
      const events = elsewhere.rest();
      // The model may only be about to stall.
      const releasing = setInterval(() => models.release(), 50);
      try {
        assert.equal((await events).at(-1)?.event, 'done');
      } finally {
        clearInterval(releasing);
      }

      const second = await ask('Where is the quokka now?');
      const headers = { Authorization: `Bearer ${token}` };
      const cancel = `${two}/${second.path}/cancel`;
      const cancelled = await fetch(cancel, { method: 'POST', headers });
      assert.equal(cancelled.status, 204);
      const end = (await second.reader.rest()).at(-1);
      const { status } = end?.data as { status: string };
      assert.deepEqual([end?.event, status], ['done', 'incomplete']);
      await models.until(() => models.running === 0);
    } finally {
      models.stallAfter = undefined;
      models.release();
    }
  });

  it('show at once what a command has changed', async () => {
    const read = async ({ url }: Process) => {
      const reply = await fetch(`${url}/api/knowledge/page?url=https://docs.acme.example/news`);
      return ((await reply.json()) as { contents: unknown[] }).contents.length;
    };
    const counts = async () => Promise.all(servers.map(read));
    const before = await counts();
    const entry = ['knowledge', 'create', '--title', 'News', '--domain', 'docs.acme.example'];
    const shown = ['--status', 'published', '--visibility', 'public', '--url-pattern', '/news'];
    await passes([...entry, ...shown, '--content', 'The shop is open.']);
    assert.deepEqual(
      await counts(),
      before.map((count) => count + 1),
    );
  });

  it('lose and double nothing that was acknowledged, whatever is killed, cut or locked', async () => {
    const batches: string[] = [];
    const talks: { question: string; id: string }[] = [];
    const asked: { question: string; id: number }[] = [];
    const resolved: { id: number; title: string }[] = [];
    let number = 0;
    let isLoaded = true;
    const repeated = async (step: (number: number) => Promise<void>) => {
      while (isLoaded) {
        await step(++number);
        await wait(20);
      }
    };
    const upload = async (number: number) => {
      const body = new FormData();
      const bytes = new Uint8Array(await sampleManual(1, `pump${number}`));
      body.set('file', new Blob([bytes], { type: 'application/pdf' }), `m-${number}.pdf`);
      const batch = await call<{ batch_id: string }>('POST', 'knowledge/ingest-pdf', body);
      if (batch !== undefined) batches.push(batch.batch_id);
      await wait(200);
    };
    const ask = async (number: number) => {
      const message = `Where is the quokka number ${number}?`;
      const context = { url: 'https://docs.acme.example/', title: 'T' };
      const sent = { message, context };
      const answer = await call<{ conversationId: string }>('POST', 'conversations/message', sent);
      if (answer !== undefined) talks.push({ question: message, id: answer.conversationId });
    };
    const request = async (number: number) => {
      const question = `Can I pay in ${number} instalments?`;
      const sent = { question, url: 'https://docs.acme.example/a' };
      const filed = await call<{ id: number }>('POST', 'knowledge/requests', sent);
      if (filed === undefined) return;
      asked.push({ question, id: filed.id });
      const title = `Instalments ${number}`;
      const answer = { status: 'resolved', response: 'Yes, you can.', publish: true, title };
      const done = await call('PUT', `knowledge/requests/${filed.id}`, answer);
      if (done !== undefined) resolved.push({ id: filed.id, title });
    };
    const load = Promise.all([upload, ask, ask, ask, request].map(repeated));

    const chance = createChance(seed);
    const pick = <T>(list: T[]): T => list[Math.floor(chance() * list.length)] as T;
    const lock = async () => {
      await direct.write.transaction(async (trx) => {
        await trx.raw(`lock table ${pick(['messages', 'ingestion_batches', 'passages'])}`);
        // More than there are connections, which all wait for the table.
        await Promise.all([wait(3000), ...Array.from({ length: 30 }, () => ask(++number))]);
      });
    };
    const happens = {
      'a server is killed': () => kill(pick(servers)),
      'a worker is killed': () => kill(pick(workers)),
      'PostgreSQL crashes': () => postgres.crash(),
      'connections are cut': () => proxy.cut(chance() < 0.5),
      'a table is locked': lock,
    };
    const names = Object.keys(happens) as (keyof typeof happens)[];
    for (let count = 0; count < faults; count++) {
      await wait(200 + chance() * 1200);
      await happens[names[count % names.length] as keyof typeof happens]();
    }
    await wait(500);
    isLoaded = false;
    await load;
    assert.equal(wrong.join('\n'), '');

    const { read } = direct;
    const open = () =>
      read('ingestion_batches').whereIn('id', batches).whereIn('status', ['pending', 'processing']);
    for (let tries = 0; tries < 600 && (await open()).length > 0; tries++) await wait(100);
    const states = await read('ingestion_batches')
      .whereIn('id', batches)
      .select('status', 'error_message');
    assert.deepEqual(
      states.filter(({ status }) => status !== 'completed'),
      [],
    );
    assert.equal(states.length, batches.length);
    const perBatch = await read('knowledge_entries')
      .whereIn('batch_id', batches)
      .groupBy('batch_id')
      .select('batch_id')
      .count({ count: '*' });
    assert.deepEqual(
      perBatch.filter(({ count }) => count !== 1),
      [],
    );
    assert.equal(perBatch.length, batches.length, 'each file became one entry');
    for (const { question, id } of talks) {
      const rows = await read<{ role: string; content: string }>('messages')
        .where('conversation_id', id)
        .orderBy('id');
      assert.deepEqual(
        rows.map(({ role }) => role),
        ['user', 'assistant'],
        question,
      );
      assert.equal(rows[0]?.content, question);
    }
    for (const { question, id } of asked) {
      const rows = await read('knowledge_requests').where({ question }).pluck('id');
      assert.deepEqual(rows, [id], question);
    }
    for (const { id, title } of resolved) {
      const rows = await read('knowledge_entries').where({ title }).pluck('id');
      const made = await read('knowledge_requests')
        .where({ id, status: 'resolved' })
        .pluck('knowledge_entry_id');
      assert.deepEqual(rows, made, title);
    }
    const most = await read('messages')
      .groupBy('content')
      .where('role', 'user')
      .count({ count: '*' });
    assert.ok(
      most.every(({ count }) => count === 1),
      'no question is there twice',
    );
    for (const list of [batches, talks, asked, resolved]) assert.ok(list.length > 5);
  }).timeout(240_000);
});
