import assert from 'node:assert/strict';
import { parseJson } from '../../../src/platform/http/parse-json.js';
import { createQueues } from '../../../src/platform/workers/queues.js';

describe('Large bodies of several senders', () => {
  it('wait in a queue for each sender, and only a sender with too many is refused', async () => {
    const bytes = Buffer.from(JSON.stringify({ text: 'x'.repeat(20_000) }));
    const parsed: string[] = [];
    const { largeBodies } = createQueues();
    const send = (sender: string) =>
      parseJson(largeBodies, bytes, { named: 'body', sender }, () => parsed.push(sender));
    // One is being parsed, and a hundred wait.
    const flood = Array.from({ length: 101 }, () => send('a'));
    await assert.rejects(send('a'), { code: 'rate_limited' });
    await send('b');
    assert.ok(parsed.length < 5, `before it, ${parsed.length} bodies were parsed`);
    await Promise.all(flood);
  });
});
