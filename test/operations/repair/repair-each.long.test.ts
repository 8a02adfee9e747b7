import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repairDatabase } from '../../../src/operations/repair/repair-database.js';
import { onSqlite } from '../../support/test-app.js';
import { damages } from './damages.js';
import { DamagedWorld } from './damaged-world.js';

// Somebody changes the file by hand.
onSqlite(describe)('A repair of the database', () => {
  const world = new DamagedWorld();
  before(() => world.build());
  const input = { configFile: undefined };

  for (const [title, { check, done, harm }] of Object.entries(damages)) {
    it(`${done === undefined ? 'is not possible' : 'succeeds'} if ${title}`, async () => {
      await world.withDamaged([harm], async (config) => {
        assert.ok((await world.findings(config)).has(check), 'assistant doctor finds it');
        const { kinds } = await repairDatabase(config, input);
        const repaired = kinds.flatMap((kind) => kind.done).join('\n');
        if (done === undefined) {
          assert.equal(repaired, '');
          assert.deepEqual([...(await world.findings(config)).keys()], [check]);
        } else {
          assert.match(repaired, done);
          assert.deepEqual([...(await world.findings(config))], []);
        }
        assert.ok(await world.answersAsBefore(config));
      });
    });
  }

  it('succeeds for any combination of damage, in any order', async function () {
    this.timeout(600_000);
    const repairable = Object.values(damages).filter(({ done }) => done !== undefined);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(repairable, { minLength: 2 }), async (chosen) => {
        await world.withDamaged(
          chosen.map(({ harm }) => harm),
          async (config) => {
            const found = await world.findings(config);
            for (const { check } of chosen) assert.ok(found.has(check), check);
            await repairDatabase(config, input);
            assert.deepEqual([...(await world.findings(config))], []);
            assert.ok(await world.answersAsBefore(config));
            assert.deepEqual((await repairDatabase(config, input)).kinds, []);
          },
        );
      }),
      { numRuns: 10 },
    );
  });
});
