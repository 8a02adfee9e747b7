import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The log of a separate process, because a log writes to the standard error of its process. */
async function logged(format: string): Promise<string> {
  const module = new URL('../../src/platform/log.js', import.meta.url).href;
  const script = `import(${JSON.stringify(module)}).then(({ createLog }) => {
    const log = createLog({ level: 'info', format: ${JSON.stringify(format)} });
    log.debug('unseen');
    log.warn({ password: 'hidden', batch: 'b\\u001b1', err: new Error('disk full') }, 'not stored');
  })`;
  return (await promisify(execFile)(process.execPath, ['-e', script])).stderr;
}

describe('The log', () => {
  it('is written as JSON lines without a terminal', async () => {
    const { level, time, msg, password } = JSON.parse(await logged('auto')) as {
      [name: string]: unknown;
    };
    assert.deepEqual([level, msg, password], [40, 'not stored', '[Redacted]']);
    assert.match(String(time), /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/);
    assert.equal(await logged('json').then((line) => line.startsWith('{')), true);
  });

  it('is readable text in the format text, without secrets and control characters', async () => {
    const line = await logged('text');
    assert.match(
      line,
      /^\d\d:\d\d:\d\d warn {2}not stored: disk full, password=\[Redacted\], batch=b\uFFFD1\n$/,
    );
  });
});
