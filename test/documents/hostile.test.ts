import assert from 'node:assert/strict';
import { createJudge } from '../pdf/hostile/extraction-outcome.js';
import { hostileDocuments } from './hostile-documents.js';

describe('A hostile document', function () {
  this.timeout(0);
  let judge: ReturnType<typeof createJudge>;
  before(() => {
    judge = createJudge();
  });
  after(() => judge.close());

  for (const [name, { kind, make, end: expected }] of Object.entries(hostileDocuments)) {
    it(`is read or refused within its limits: ${name} (${kind})`, async () => {
      const { end, milliseconds, grownMb, fault } = await judge.judge(make(), kind);
      if (process.env['DOCUMENT_FUZZ_ROUNDS'] !== undefined) {
        console.log(`      ${end}, ${milliseconds} ms, ${grownMb} MB`);
      }
      assert.equal(fault, undefined);
      // A busy machine may take longer than the tight limit.
      if (expected !== undefined && end !== 'timeout') assert.equal(end, expected);
    });
  }
});
