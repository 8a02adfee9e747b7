import assert from 'node:assert/strict';
import { appendFile, chmod, mkdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findUnits, serviceCommand } from '../../src/operations/service/find-units.js';
import { openPseudoTerminal } from '../support/pseudo-terminal.js';
import { hosted, makeInstallation, program, type TestInstallation } from '../support/run-cli.js';

const entry = (level: number, time: string, msg: string, more: object = {}) =>
  `${JSON.stringify({ level, time: `2026-03-0${time}.000Z`, ...more, msg })}\n`;

const sample = [
  'Assistant serves at http://127.0.0.1:8080\n',
  entry(30, '1T08:00:00', 'request', {
    request_id: 'r-1',
    status: 200,
    path: '/api/knowledge/:id',
  }),
  entry(50, '1T08:00:01', 'failed', { request_id: 'r-2', err: { message: 'disk \u001b[31mfull' } }),
  '    at stack (file.js:1)\n',
  entry(40, '2T09:00:00', 'the lease was not renewed', { batch_id: 'b1' }),
  'assistant: Port 80 is in use.\n',
  entry(20, '2T09:00:01', 'details'),
].join('');

describe('assistant logs', () => {
  let installation: TestInstallation;
  let file: string;
  before(async () => {
    installation = hosted(await makeInstallation());
    file = join(installation.folder, 'assistant.log');
  });
  after(() => installation.remove());
  beforeEach(() => writeFile(file, sample));

  const read = async (...args: string[]) => {
    const { code, stdout } = await installation.run(['logs', '--file', file, ...args]);
    assert.equal(code, 0);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  };

  it('prints each line as a JSON line without a terminal', async () => {
    assert.deepEqual(await read(), [
      ...['Assistant serves at http://127.0.0.1:8080', 'request', 'failed'],
      ...['    at stack (file.js:1)', 'the lease was not renewed'],
      ...['assistant: Port 80 is in use.', 'details'],
    ]);
    const { stdout } = await installation.run([
      'logs',
      '--file',
      file,
      '--json',
      '--level',
      'warn',
    ]);
    assert.deepEqual(JSON.parse(stdout.split('\n')[2] ?? ''), {
      ...{ level: 40, time: '2026-03-02T09:00:00.000Z', batch_id: 'b1' },
      msg: 'the lease was not renewed',
    });
  });

  it('filters by level, time, text and request, and keeps a stack with its entry', async () => {
    const failed = ['failed', '    at stack (file.js:1)'];
    const port = 'assistant: Port 80 is in use.';
    assert.deepEqual(await read('--level', 'error'), [...failed, port]);
    assert.deepEqual(await read('--request', 'r-2'), failed);
    assert.deepEqual(await read('--request', 'r'), []);
    assert.deepEqual(await read('--grep', '^path=/API/knowledge/:id'), []);
    assert.deepEqual(await read('--grep', 'path=/API/knowledge/:id'), ['request']);
    assert.deepEqual(await read('--grep', 'disk .*full'), failed);
    assert.deepEqual((await read('--since', '2026-03-02'))[0], 'the lease was not renewed');
    assert.deepEqual(await read('--since', '2026-03-02T09:00:01'), ['details']);
    const none = await installation.run(['logs', '--file', file, '--since', '30s']);
    assert.deepEqual([none.code, none.stdout], [0, '']);
    assert.match(none.stderr, /No entry of the log matches/);
  });

  it('shows the last entries with all their lines, and reports earlier ones', async () => {
    const { stdout, stderr } = await installation.run([
      ...['logs', '--file', file, '--level', 'error', '--limit', '2'],
    ]);
    assert.equal(stdout.trim().split('\n').length, 3);
    assert.equal(stderr, '');
    const less = await installation.run(['logs', '--file', file, '--limit', '1']);
    assert.match(less.stderr, /^The last 1 of 6 entries\. More: --limit 6$/m);
    await writeFile(file, 'no end');
    assert.deepEqual(await read(), ['no end']);
  });

  it('reads text logs too, and standard input', async () => {
    const text =
      '08:00:00 warn  not stored: disk full\n08:00:01 info  request, request_id=r-7, a=1\n';
    const { code, stdout } = await installation.run(['logs', '--file', '-', '--level', 'warn'], {
      input: text,
    });
    assert.deepEqual([code, JSON.parse(stdout)], [0, { msg: text.split('\n')[0] }]);
    const one = await installation.run(['logs', '--file', '-', '--request', 'r-7'], {
      input: text,
    });
    assert.match(one.stdout, /request_id=r-7/);
  });

  it('follows a file until the reader has gone', async () => {
    const running = installation.start(['logs', '--file', file, '--follow', '--limit', '1']);
    await running.until(/"details"/);
    running.child.stdout?.destroy();
    await appendFile(file, entry(30, '3T00:00:00', 'for nobody'));
    const { code, stderr } = await running.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('follows a file that grows, is truncated and is replaced, until Ctrl-C', async () => {
    const running = installation.start(['logs', '--file', file, '--follow', '--limit', '1']);
    await running.until(/"details"/);
    await appendFile(file, entry(30, '3T00:00:00', 'appended').slice(0, 20));
    await appendFile(file, entry(30, '3T00:00:00', 'appended').slice(20));
    await running.until(/"appended"/);
    await truncate(file, 0);
    await appendFile(file, entry(30, '3T00:00:01', 'after the cut'));
    await running.until(/"after the cut"/);
    await rename(file, `${file}.1`);
    await appendFile(`${file}.1`, entry(30, '3T00:00:02', 'in the old file'));
    await writeFile(file, entry(30, '3T00:00:03', 'in the new file'));
    await running.until(/"in the new file"/);
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    assert.equal(code, 130);
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    assert.deepEqual(messages, [
      ...['details', 'appended', 'after the cut', 'in the old file', 'in the new file'],
    ]);
  });

  it('prints text at a terminal, with the day above its entries', async () => {
    const line = `${process.execPath} ${program} logs --file ${file} --level warn`;
    const terminal = openPseudoTerminal(line, installation.folder, {});
    try {
      assert.equal(await terminal.ended, 0);
      const lines = terminal.screen().replaceAll('\r', '').trim().split('\n');
      assert.deepEqual(lines, [
        '2026-03-01',
        '08:00:01 error failed: disk \uFFFD[31mfull, request_id=r-2',
        '    at stack (file.js:1)',
        '2026-03-02',
        '09:00:00 warn  the lease was not renewed, batch_id=b1',
        'assistant: Port 80 is in use.',
      ]);
    } finally {
      terminal.close();
    }
  });

  it('explains in one sentence where to get a log if there is none, and refuses invalid filters', async () => {
    const env = { HOME: installation.folder };
    const { code, stderr } = await installation.run(['logs'], { env });
    assert.equal(code, 3);
    assert.match(
      stderr,
      /^assistant: There is no log to read: .*--file.*assistant logs --file -\n$/,
    );
    for (const [args, expected] of [
      [['--file', 'none.log'], 3],
      [['--since', 'yesterday'], 2],
      [['--since', '2026-13-01'], 2],
      [['--grep', '('], 2],
      [['--level', 'wran'], 2],
    ] as const) {
      assert.equal((await installation.run(['logs', ...args])).code, expected, args.join(' '));
    }
  });
});

describe('assistant logs of an installed service', () => {
  let installation: TestInstallation;
  let env: Record<string, string>;
  /** The arguments of each call of the stand-in for journalctl. */
  let calls: string;
  before(async () => {
    installation = await makeInstallation();
    const units = join(installation.folder, '.config/systemd/user');
    await mkdir(units, { recursive: true });
    await writeFile(join(units, 'assistant-server.service'), '');
    calls = join(installation.folder, 'calls');
    await mkdir(join(installation.folder, 'bin'));
    const lines = [
      { MESSAGE: entry(40, '1T08:00:00', 'first').trim(), __CURSOR: 'c1' },
      { MESSAGE: [...Buffer.from('Started \u001b[0massistant')], __CURSOR: 'c2' },
    ].map((one) => JSON.stringify({ ...one, __REALTIME_TIMESTAMP: '1772352000000000' }));
    await writeFile(join(installation.folder, 'journal'), `${lines.join('\n')}\n`);
    const stand = join(installation.folder, 'bin/journalctl');
    const script = `#!/bin/sh
echo "$*" >> '${calls}'
case "$*" in
  *--follow*) echo '{"MESSAGE":"Stopped","__CURSOR":"c3","__REALTIME_TIMESTAMP":"1772352001000000"}'; exec sleep 600 ;;
  *--lines=13*) echo 'No journal may be read.' >&2; exit 1 ;;
  *) cat '${installation.folder}/journal' ;;
esac
`;
    await writeFile(stand, script);
    await chmod(stand, 0o755);
    const path = `${installation.folder}/bin:${process.env['PATH'] ?? ''}`;
    env = { HOME: installation.folder, PATH: path };
  });
  after(() => installation.remove());
  beforeEach(() => writeFile(calls, ''));

  it('reads the journal of its units, and adds the time to lines without one', async () => {
    const { code, stdout } = await installation.run(['logs', '--since', '2026-03-01T07:00'], {
      env,
    });
    assert.equal(code, 0);
    assert.deepEqual(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
      [
        { level: 40, time: '2026-03-01T08:00:00.000Z', msg: 'first' },
        { level: 30, time: '2026-03-01T08:00:00.000Z', msg: 'Started \u001b[0massistant' },
      ],
    );
    assert.equal(
      await readFile(calls, 'utf8'),
      '--user --unit assistant-server.service --output=json --quiet --since=@1772348400 --lines=200\n',
    );
  });

  it('follows the journal from the last shown line', async () => {
    const running = installation.start(['logs', '--follow', '--level', 'info'], env);
    await running.until(/"Stopped"/);
    running.child.kill('SIGINT');
    assert.equal((await running.ended).code, 130);
    const [first = '', second] = (await readFile(calls, 'utf8')).trim().split('\n');
    assert.doesNotMatch(first, /--lines/, 'matching lines can be further back');
    assert.match(second ?? '', /--follow --no-tail --after-cursor=c2$/);
  });

  it('names the remedy if the journal can’t be read', async () => {
    const { code, stderr } = await installation.run(['logs', '--limit', '13'], { env });
    assert.equal(code, 1);
    assert.match(stderr, /No journal may be read\. Run the command .*systemd-journal/);
  });

  it('finds the units, their commands and their installation', async () => {
    const units = findUnits('/nowhere', installation.folder);
    const { names: found, ofUser } = units ?? {};
    assert.deepEqual([found, ofUser], [['assistant-server.service'], true]);
    assert.equal(serviceCommand('restart', units), 'systemctl --user restart assistant-server');
    const system = join(installation.folder, 'etc/systemd/system');
    await mkdir(system, { recursive: true });
    const unit = '[Service]\nUser=assistant\nWorkingDirectory=/srv/assistant\n';
    await writeFile(join(system, 'assistant-server.service'), unit);
    assert.equal(findUnits(installation.folder)?.installation, '/srv/assistant');
    const names = ['assistant-server.service', 'assistant-worker.service'];
    const command = serviceCommand('start', { names, ofUser: false });
    assert.equal(command, 'sudo systemctl start assistant-server assistant-worker');
  });
});
