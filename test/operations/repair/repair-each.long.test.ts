import assert from 'node:assert/strict';
import fc from 'fast-check';
import { repairDatabase } from '../../../src/operations/repair/repair-database.js';
import { damages } from './damages.js';
import { DamagedWorld } from './damaged-world.js';

describe('Repairing each damage by hand', () => {
  const world = new DamagedWorld();
  before(() => world.build());
  const input = { configFile: undefined };

  for (const [title, { check, done, harm }] of Object.entries(damages)) {
    it(`mends it when ${title}`, async () => {
      await world.withDamaged([harm], async (config) => {
        assert.ok((await world.findings(config)).has(check), 'the doctor finds it');
        const { kinds } = await repairDatabase(config, input);
        const said = kinds.flatMap((kind) => kind.done).join('\n');
        if (done === undefined) {
          assert.equal(said, '');
          assert.deepEqual([...(await world.findings(config)).keys()], [check]);
        } else {
          assert.match(said, done);
          assert.deepEqual([...(await world.findings(config))], []);
        }
        assert.ok(await world.answersAsBefore(config));
      });
    });
  }

  it('mends any damages together, in any order', async function () {
    this.timeout(600_000);
    const mendable = Object.values(damages).filter(({ done }) => done !== undefined);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(mendable, { minLength: 2 }), async (chosen) => {
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
      { numRuns: 20 },
    );
  });
});
