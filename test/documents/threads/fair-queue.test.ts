import assert from 'node:assert/strict';
import { FairQueue } from '../../../src/documents/threads/fair-queue.js';

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

  it('is taken only from files that may have their turn, without a loss for the others', () => {
    const queue = new FairQueue<{ file: number; part: string }>(({ file }) => file);
    for (const part of ['a1', 'b1', 'b2']) queue.push({ file: part.startsWith('a') ? 1 : 2, part });
    assert.equal(queue.first?.part, 'a1');
    assert.equal(queue.shift(({ file }) => file === 2)?.part, 'b1');
    assert.equal(
      queue.shift(({ file }) => file === 3),
      undefined,
    );
    assert.equal(queue.shift()?.part, 'a1');
    assert.equal(queue.shift()?.part, 'b2');
  });
});
