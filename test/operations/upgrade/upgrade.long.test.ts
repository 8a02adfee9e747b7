import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { planUpgrade } from '../../../src/operations/upgrade/plan-upgrade.js';
import { describePlan, presentPlan } from '../../../src/operations/upgrade/present-upgrade.js';
import { upgradeDatabase } from '../../../src/operations/upgrade/upgrade-database.js';
import { repairDatabase } from '../../../src/operations/repair/repair-database.js';
import { examineDatabase } from '../../../src/operations/examine-database.js';
import { configSchema, type Config } from '../../../src/platform/config/schema.js';
import { openDatabase } from '../../../src/platform/db/open-database.js';
import { openSqlite } from '../../../src/platform/db/open-sqlite.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { fillTables, migrateTo, names } from './older-database.js';
import { upgradeFrom } from './upgrade-from.js';

describe('An upgrade', () => {
  let folder: { path: string; remove(): Promise<void> };
  let config: Config;
  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    const path = join(folder.path, 'assistant.sqlite');
    config = configSchema.parse({ database: { path }, log: { level: 'silent' } });
  });
  afterEach(() => folder.remove());

  async function makeOlder(schema: string): Promise<void> {
    const db = await openDatabase(config.database);
    try {
      await migrateTo(db, schema);
      await fillTables(db.write);
    } finally {
      await db.close();
    }
  }
  const input = { configFile: undefined };
  const files = () => readdir(dirname(config.database.path));

  it('keeps all rows of an earlier schema, and is undone by restoring the copy made before', () =>
    upgradeFrom('0038-follow-pages'));

  it('has a plan with its migrations, time, disk space and commands, which changes nothing', async () => {
    await makeOlder('0033-keep-apart');
    const before = await files();
    const plan = await planUpgrade(config, input);
    assert.deepEqual(await files(), before, 'nothing is left of the rehearsal');
    const expected = names.slice(names.indexOf('0033-keep-apart') + 1);
    assert.deepEqual(
      plan.pending.map(({ name }) => name),
      [...expected, 'search-index'],
    );
    assert.ok(plan.pending.every(({ about }) => /^[A-Z].*\.$/.test(about)));
    assert.equal(plan.time?.how, 'measured');
    assert.deepEqual(
      plan.rehearsal?.migrations.map(({ name }) => name),
      expected,
    );
    assert.ok(plan.space.neededBytes > 0 && plan.space.freeBytes > plan.space.neededBytes);
    assert.deepEqual(
      plan.steps.map(({ command }) => command).filter((command) => command !== null),
      ['assistant backup', 'assistant upgrade', 'assistant doctor'],
    );
    const text = describePlan(plan);
    assert.match(text, /0035-trust-vectors: Stores how far vectors can be trusted\./);
    assert.match(text, /less than a second, measured|\d+ s, measured/);
    assert.equal(presentPlan(plan)['up_to_date'], false);

    const estimated = await planUpgrade(config, { ...input, estimate: true });
    assert.equal(estimated.time?.how, 'estimated');
    assert.equal(estimated.rehearsal, null);

    await upgradeDatabase(config);
    const done = await planUpgrade(config, input);
    assert.deepEqual([done.pending, done.steps, done.time], [[], [], null]);
    assert.equal(presentPlan(done)['up_to_date'], true);
    assert.deepEqual(await upgradeDatabase(config), { applied: [], backup: null });
  });

  it('is refused while another process has the database open, and changes nothing', async () => {
    await makeOlder('0044-slim-claims');
    const server = await openDatabase(config.database);
    try {
      await assert.rejects(upgradeDatabase(config), {
        code: 'conflict',
        message: /Stop assistant/,
      });
    } finally {
      await server.close();
    }
    const expected = [...names.slice(names.indexOf('0044-slim-claims') + 1), 'search-index'];
    const { pending } = await planUpgrade(config, input);
    assert.deepEqual(
      pending.map(({ name }) => name),
      expected,
    );
    assert.deepEqual((await upgradeDatabase(config)).applied, expected);
  });

  it('that is interrupted undoes what it began, and the same command does it all', async () => {
    await makeOlder('0044-slim-claims');
    const before = await files();
    const interruption = new AbortController();
    const upgrading = upgradeDatabase(config, {
      signal: interruption.signal,
      onStep: () => interruption.abort(),
    });
    await assert.rejects(upgrading, { code: 'shutting_down', message: /^Interrupted: .*undone/ });
    assert.deepEqual(await files(), before);
    const expected = [...names.slice(names.indexOf('0044-slim-claims') + 1), 'search-index'];
    assert.deepEqual((await upgradeDatabase(config)).applied, expected);
  });

  it('that would fail is reported by the rehearsal, and `doctor --repair` removes the cause', async () => {
    await makeOlder('0039-retain-and-erase');
    const hand = openSqlite(config.database.path, 1, ['pragma foreign_keys = off']);
    await hand('users').delete();
    await hand.destroy();
    const plan = await planUpgrade(config, input);
    assert.match(plan.rehearsal?.failure ?? '', /assistant doctor --repair/);
    const [references] = (await examineDatabase(config, {})).filter(
      ({ name }) => name === 'references',
    );
    assert.match(references?.remedy ?? '', /doctor --repair/);
    const { kinds } = await repairDatabase(config, input);
    assert.deepEqual(
      kinds.map(({ name, left }) => [name, left]),
      [['references', []]],
    );
    assert.equal((await planUpgrade(config, input)).rehearsal?.failure, null);
  });

  it('is refused without an installation, with the command that creates one', async () => {
    await assert.rejects(planUpgrade(config, input), { code: 'not_found' });
    await assert.rejects(upgradeDatabase(config), { code: 'not_found', message: /assistant init/ });
    assert.deepEqual(await files(), []);
  });
});
