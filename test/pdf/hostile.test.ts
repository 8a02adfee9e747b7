import assert from 'node:assert/strict';
import { createJudge } from './hostile/extraction-outcome.js';
import { hostileFiles } from './hostile/hostile-files.js';

describe('a hostile PDF', function () {
  this.timeout(0);
  let judge: ReturnType<typeof createJudge>;
  before(() => {
    judge = createJudge();
  });
  after(() => judge.close());

  for (const [name, make] of Object.entries(hostileFiles)) {
    it(`ends within its limits: ${name}`, async () => {
      const { end, milliseconds, grownMb, fault } = await judge.judge(make());
      if (process.env['PDF_FUZZ_ROUNDS'] !== undefined) {
        console.log(`      ${end}, ${milliseconds} ms, ${grownMb} MB`);
      }
      assert.equal(fault, undefined);
    });
  }
});
