import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { findLosses, startLoad } from '../support/acknowledged.js';
import { createChance } from '../support/chance.js';
import { startCluster, type Cluster, type ClusterProcess } from '../support/cluster.js';
import { openEventStream } from '../support/event-reader.js';

const faults = Number(process.env['LOAD_FAULTS'] ?? 12);
const seed = Number(process.env['LOAD_SEED'] ?? 22);

describe('Two servers and two workers on PostgreSQL', () => {
  const chance = createChance(seed);
  let cluster: Cluster;

  before(async () => {
    cluster = await startCluster({ workers: 2, chance });
  });
  after(() => cluster.stop());

  it('let an answer be read on, resumed and cancelled at another server than the one that makes it', async () => {
    const [one, two] = cluster.servers.map(({ url }) => `${url}/api/conversations`) as [
      string,
      string,
    ];
    cluster.models.stallAfter = 2;
    try {
      const ask = async (message: string) => {
        const body = { message, context: { url: 'https://docs.acme.example/', title: 'T' } };
        const reader = await openEventStream(`${one}/message`, { token: cluster.token, body });
        const seen = await reader.until(({ event }) => event === 'started');
        const { data } = seen.at(-1) as { data: { conversationId: string; questionId: number } };
        await cluster.models.until(() => cluster.models.running > 0);
        return { reader, path: `${data.conversationId}/messages/${data.questionId}` };
      };
      const first = await ask('Where is the quokka?');
      first.reader.leave();
      const from = { token: cluster.token, lastEventId: 1 };
      const elsewhere = await openEventStream(`${two}/${first.path}/events`, from);
      const events = elsewhere.rest();
      // The model may only be about to stall.
      const releasing = setInterval(() => cluster.models.release(), 50);
      try {
        assert.equal((await events).at(-1)?.event, 'done');
      } finally {
        clearInterval(releasing);
      }

      const second = await ask('Where is the quokka now?');
      // Cancelled before any text, nothing would be stored.
      await second.reader.until(({ event }) => event === 'delta');
      const headers = { Authorization: `Bearer ${cluster.token}` };
      const cancel = `${two}/${second.path}/cancel`;
      const cancelled = await fetch(cancel, { method: 'POST', headers });
      assert.equal(cancelled.status, 204);
      const end = (await second.reader.rest()).at(-1);
      const { status } = end?.data as { status: string };
      assert.deepEqual([end?.event, status], ['done', 'incomplete']);
      await cluster.models.until(() => cluster.models.running === 0);
    } finally {
      cluster.models.stallAfter = undefined;
      cluster.models.release();
    }
  });

  it('show at once what a command has changed', async () => {
    const read = async ({ url }: ClusterProcess) => {
      const reply = await fetch(`${url}/api/knowledge/page?url=https://docs.acme.example/news`);
      return ((await reply.json()) as { contents: unknown[] }).contents.length;
    };
    const counts = async () => Promise.all(cluster.servers.map(read));
    const before = await counts();
    const entry = ['knowledge', 'create', '--title', 'News', '--domain', 'docs.acme.example'];
    const shown = ['--status', 'published', '--visibility', 'public', '--url-pattern', '/news'];
    await cluster.passes([...entry, ...shown, '--content', 'The shop is open.']);
    assert.deepEqual(
      await counts(),
      before.map((count) => count + 1),
    );
  });

  it('lose and double nothing that was acknowledged, whatever is killed, cut or locked', async () => {
    const load = startLoad(cluster, { visitors: 8, pauseMs: 20 });
    const { write } = cluster.db;
    const tables = ['messages', 'ingestion_batches', 'passages'];
    const happens = {
      ...cluster.faults,
      'a table is locked': () =>
        write.transaction(async (trx) => {
          await trx.raw(`lock table ${tables[Math.floor(chance() * tables.length)]}`);
          // More than there are connections, which all wait for the table.
          await Promise.all([wait(3000), load.ask(30)]);
        }),
    };
    const events = Object.values(happens);
    for (let count = 0; count < faults; count++) {
      await wait(200 + chance() * 1200);
      await events[count % events.length]?.();
    }
    await wait(500);
    await load.stop();
    assert.equal(cluster.wrong.join('\n'), '');
    assert.deepEqual(await findLosses(cluster, load.acknowledged), []);
    const { batches, questions, requests } = load.acknowledged;
    for (const list of [batches, questions, requests]) assert.ok(list.length > 5);
  }).timeout(240_000);
});
