import assert from 'node:assert/strict';
import { MessageChannel } from 'node:worker_threads';
import { AppError } from '../../../src/platform/errors.js';
import { connectCalls } from '../../../src/platform/workers/calls.js';

describe('Calls between threads', () => {
  const functions = {
    double: (number: number) => 2 * number,
    later: async (text: string) => Promise.resolve(text),
    refuse: () => {
      throw new AppError('database_busy', 'Try again.', { retryAfterSeconds: 1 });
    },
    fail: () => Promise.reject(new RangeError('too far')),
    never: () => new Promise<void>(() => undefined),
    wrong: () => () => 1,
  };
  let channel: MessageChannel;
  beforeEach(() => {
    channel = new MessageChannel();
  });
  afterEach(() => channel.port1.close());

  const connected = () => {
    connectCalls(channel.port2, functions);
    return connectCalls<typeof functions>(channel.port1);
  };

  it('return what the functions return, in any order', async () => {
    const { call, underWay } = connected();
    const results = [call('double', 2), call('later', 'a'), call('double', 3)];
    assert.equal(underWay(), 3);
    assert.deepEqual(await Promise.all(results), [4, 'a', 6]);
    assert.equal(underWay(), 0);
  });

  it('reject with the error of the function, also of a result that can’t be copied', async () => {
    const { call } = connected();
    await assert.rejects(call('refuse'), (error) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, 'database_busy');
      assert.equal(error.retryAfterSeconds, 1);
      return true;
    });
    await assert.rejects(call('fail'), { name: 'RangeError', message: 'too far' });
    await assert.rejects(call('wrong'));
  });

  it('reject when the other end is gone', async () => {
    const calls = connected();
    const waiting = calls.call('never');
    calls.fail(new Error('gone'));
    await assert.rejects(waiting, { message: 'gone' });
    await assert.rejects(calls.call('double', 1), { message: 'gone' });
  });
});
