import assert from 'node:assert/strict';
import { FairQueue } from '../../../src/pdf/threads/fair-queue.js';

describe('Work that waits for a thread', () => {
  it('is taken from each file in turn, and work without a file is taken first', () => {
    const queue = new FairQueue<{ file: number | undefined; part: string }>(({ file }) => file);
    for (const part of ['a1', 'a2', 'a3']) queue.push({ file: 1, part });
    for (const part of ['b1', 'b2']) queue.push({ file: 2, part });
    const taken: (string | undefined)[] = [queue.shift()?.part];
    queue.push({ file: undefined, part: 'assemble' });
    const withdrawn = { file: 3, part: 'c1' };
    queue.push(withdrawn);
    queue.remove(withdrawn);
    while (!queue.isEmpty) taken.push(queue.shift()?.part);
    assert.deepEqual(taken, ['a1', 'assemble', 'b1', 'a2', 'b2', 'a3']);
    assert.equal(queue.shift(), undefined);
  });
});
