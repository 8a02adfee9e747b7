import { copyFile, rm, stat } from 'node:fs/promises';
import { deleteConversation } from '../src/conversations/delete-conversation.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../test/support/test-app.js';
import { median, round, type Measure } from './measure.js';

const conversations = 2000;
/** Deleted one by one in each round; the others stay. */
const batch = 50;
const rounds = 16;
const text =
  'The pump of the third hall is oiled every month, with the oil that stands beside it. '.repeat(6);

/** What overwriting costs those who delete, and how long the rewriting after an erasure takes. */
export async function measureDeletes(): Promise<Measure> {
  const test = await openTestApp();
  try {
    const acme = await addOrganization(test);
    const ids = await fill(test, acme);
    const times = { off: [] as number[], on: [] as number[] };
    for (let index = 0; index < rounds; index++) {
      const mode = index % 2 === 0 ? 'off' : 'on';
      await test.app.db.write.raw(`pragma secure_delete = ${mode}`);
      times[mode].push(await timeOf(() => deleteAll(test, acme, ids.splice(0, batch))));
    }
    const { path } = test.app.config.database;
    const copying = await timeOf(() => copyFile(path, `${path}.copy`));
    await rm(`${path}.copy`);
    const rewriting = await timeOf(() => test.app.db.dialect.rewrite(test.app.db.write));
    const megabytes = (await stat(path)).size / 1e6;
    const [off, on] = [median(times.off) / batch, median(times.on) / batch];
    return {
      name: 'deletes',
      about: `${conversations} conversations of four messages; ${batch} deleted one by one in each of ${rounds} rounds, without and with secure_delete in turn; then the whole file of ${round(megabytes)} MB copied, and rewritten as after an erasure`,
      rows: [
        { what: 'delete, secure_delete off', ms: round(off), ratio: 1 },
        { what: 'delete, secure_delete on', ms: round(on), ratio: round(on / off) },
        { what: 'copy of the file', ms: round(copying), ratio: 1 },
        { what: 'rewriting of the file', ms: round(rewriting), ratio: round(rewriting / copying) },
      ],
    };
  } finally {
    await test.close();
  }
}

async function fill({ app }: TestApp, { operator }: TestOrganization): Promise<string[]> {
  const now = new Date().toISOString();
  const ids = Array.from({ length: conversations }, (_, index) => `conversation-${index}`);
  const rows = ids.map((id) => ({
    ...{ id, organization_id: operator.organizationId, channel: 'cli', title: 'Oil' },
    ...{ created_at: now, updated_at: now },
  }));
  const messages = Array.from({ length: 4 * conversations }, (_, index) => ({
    ...{ conversation_id: ids[index % conversations] ?? '', role: 'user', content: text },
    ...{ status: 'complete', language: 'en', created_at: now },
  }));
  await app.db.write.batchInsert('conversations', rows, 100);
  await app.db.write.batchInsert('messages', messages, 100);
  return ids;
}

async function deleteAll(
  { app }: TestApp,
  { operator }: TestOrganization,
  ids: string[],
): Promise<void> {
  for (const id of ids) await deleteConversation(app, operator, id);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
