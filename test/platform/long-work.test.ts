import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '../../src/platform/clock.js';
import { AppError } from '../../src/platform/errors.js';
import { createLog } from '../../src/platform/log.js';
import { createLongWork } from '../../src/platform/long-work.js';

describe('Work in the background', () => {
  const log = createLog({ level: 'silent', format: 'json' });
  const open = () => createLongWork({ clock: systemClock, log });

  it('runs once at a time for each name, and can be started again after its end', async () => {
    const works = open();
    let begun = 0;
    let end: () => void = () => undefined;
    const work = () => {
      begun += 1;
      return new Promise<void>((resolve) => (end = resolve));
    };
    works.start('backup', work);
    works.start('backup', work);
    works.start('other', () => Promise.resolve());
    assert.equal(begun, 1);
    assert.equal(works.last('backup')?.isRunning, true);
    end();
    await works.last('backup')?.ended;
    assert.equal(works.last('backup')?.isRunning, false);
    works.start('backup', work);
    assert.equal(begun, 2);
    end();
    await works.stop();
  });

  it('keeps the reason of its failure until the next start, but no details of a bug', async () => {
    const works = open();
    const fails = (error: Error) => () => Promise.reject(error);
    works.start('backup', fails(new AppError('no_space', 'The disk is full.')));
    await works.last('backup')?.ended;
    assert.equal(works.last('backup')?.failure?.message, 'The disk is full.');
    works.start('backup', fails(new Error('secret')));
    await works.last('backup')?.ended;
    assert.equal(works.last('backup')?.failure?.code, 'internal');
    works.start('backup', () => Promise.resolve());
    await works.last('backup')?.ended;
    assert.equal(works.last('backup')?.failure, undefined);
  });

  it('is aborted when the application closes, and does not start afterwards', async () => {
    const works = open();
    let aborted = false;
    works.start('backup', async (signal) => {
      while (!signal.aborted) await setImmediate();
      aborted = true;
      signal.throwIfAborted();
    });
    await works.stop();
    assert.ok(aborted);
    works.start('later', () => Promise.reject(new Error('started after the end')));
    assert.equal(works.last('later'), undefined);
  });
});
