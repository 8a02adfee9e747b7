import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import stringWidth from 'string-width';
import { cutToColumns } from '../../../src/platform/cli/columns.js';
import {
  createProgress,
  type Progress,
  describeRate,
  describeSeconds,
} from '../../../src/platform/cli/progress.js';
import { clearBar, createOutput } from '../../../src/platform/cli/terminal.js';

/** A progress display with a clock that the test moves. `written` returns the new output. */
function open(stream: { isTTY?: boolean; columns?: number }, silent = false) {
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), stream);
  let ms = 0;
  const progress: Progress = createProgress(
    { stdin: new PassThrough(), stdout: new PassThrough(), stderr },
    silent,
    () => ms,
  );
  const written = () => (stderr.read() as string | null) ?? '';
  return {
    progress,
    written,
    wait: (seconds: number) => (ms += seconds * 1000),
    /** The line that the terminal shows now. */
    line: () => written().split('\r\u001b[2K').at(-1) ?? '',
  };
}

const terminal = { isTTY: true, columns: 100 };

describe('The progress of long work', () => {
  it('is shown at a terminal as a bar with the speed and the time left', () => {
    const { progress, wait, line } = open(terminal);
    progress.update('manual.pdf', 0, 400, 'pages');
    assert.equal(line(), '[........................] 0/400 pages  manual.pdf');
    wait(10);
    progress.update('manual.pdf', 1, 400, 'pages');
    wait(10);
    progress.update('manual.pdf', 100, 400, 'pages');
    // Measured from the first page: the time before it was the start.
    assert.equal(
      line(),
      '[######..................] 100/400 pages, 9.9 pages/s, 31 s left  manual.pdf',
    );
  });

  it('is cleared before other output on the same terminal', () => {
    const tty = () => Object.assign(new PassThrough({ encoding: 'utf8' }), terminal);
    const screen = tty();
    const streams = { stdin: new PassThrough(), stdout: screen, stderr: screen };
    const out = createOutput(streams, { json: false, quiet: false });
    const progress = createProgress(streams, false);
    const says = [
      () => out.result({}, 'monday.tar.gz'),
      () => out.line({}, 'a.pdf was ingested'),
      () => out.note('Interrupted.'),
      () => clearBar(streams),
    ];
    for (const say of says) {
      progress.update('monday.tar.gz', 7, 7, 'MB');
      screen.read();
      say();
      assert.match(String(screen.read()), /^\r\u001b\[2K/);
    }
  });

  it('keeps its bar if the result does not go to the terminal', () => {
    const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), terminal);
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
    createProgress(streams, false).update('manual.pdf', 1, 2, 'pages');
    stderr.read();
    createOutput(streams, { json: false, quiet: false }).line({}, 'a.pdf was ingested');
    assert.equal(stderr.read(), null);
  });

  it('estimates the time left from the speed of the last minute', () => {
    const { progress, wait, line } = open(terminal);
    progress.update('', 1, 10_000, 'MB');
    wait(10);
    progress.update('', 5000, 10_000, 'MB');
    for (let done = 5001; done <= 5120; done += 1) {
      wait(1);
      progress.update('', done, 10_000, 'MB');
    }
    assert.match(line(), / 5120\/10000 MB, 1 MB\/s, 1 h 21 min left$/);
  });

  it('shows the first of several running items until that item ends', () => {
    const { progress, wait, line } = open(terminal);
    progress.whole(0, 3, 'files');
    const labels = [];
    for (let page = 1; page <= 3; page += 1) {
      for (const file of ['a.pdf', 'b.pdf']) {
        wait(1);
        progress.update(file, page, 10, 'pages');
        labels.push(line());
      }
    }
    assert.ok(labels.slice(1).every((label) => label.includes('  a.pdf (')));
    assert.equal(
      labels.at(-1),
      '[........................] 0/3 files, 1 pages/s  a.pdf (3/10 pages) and 1 more',
    );
    progress.end('a.pdf');
    progress.whole(1, 3, 'files');
    wait(1);
    progress.update('b.pdf', 4, 10, 'pages');
    wait(5);
    progress.end('b.pdf');
    progress.whole(2, 3, 'files');
    assert.match(line(), /^\[#{16}\.{8}\] 2\/3 files, .* pages\/s, 6 s left$/);
  });

  it('fits into the line for any width of the terminal and any file name', () => {
    for (const name of ['手順書'.repeat(30), 'é́'.repeat(90), '🎉'.repeat(50), 'a'.repeat(200)]) {
      for (const columns of [20, 40, 80]) {
        const { progress, line } = open({ isTTY: true, columns });
        progress.update(name, 3, 12, 'pages');
        const shown = line();
        assert.ok(stringWidth(shown) < columns, `${stringWidth(shown)} of ${columns}: ${shown}`);
        assert.match(shown, /3\/12 pages/);
      }
    }
    const path = open({ isTTY: true, columns: 60 });
    path.progress.update(`/a/${'long/'.repeat(9)}manual.pdf`, 3, 12, 'pages');
    assert.match(path.line(), /3\/12 pages {2}….+\/manual\.pdf$/, 'the end of the path is shown');
    const several = open({ isTTY: true, columns: 60 });
    several.progress.whole(0, 14, 'files');
    several.progress.update(`/a/${'long/'.repeat(9)}manual.pdf`, 3, 12, 'pages');
    several.progress.update('/a/other.pdf', 0, 9, 'pages');
    several.progress.whole(1, 14, 'files');
    several.progress.clear();
    several.progress.update('/a/other.pdf', 1, 9, 'pages');
    assert.doesNotMatch(several.line(), /more|\(/, 'no running item is named');
    const unknown = open({ isTTY: true, columns: 0 });
    unknown.progress.update('a', 3, 12, 'pages');
    assert.match(unknown.line(), /3\/12 pages {2}a$/);
    const { progress, line } = open(terminal);
    progress.update('a\u001b[2Jb\r', 1, 2, 'pages');
    assert.ok(line().endsWith('a\uFFFD[2Jb\uFFFD'));
  });

  it('can be cleared, and appears again with the next update', () => {
    const { progress, written, line } = open(terminal);
    progress.clear();
    assert.equal(written(), '');
    progress.update('a', 1, 9, 'pages');
    progress.clear();
    assert.ok(written().endsWith('\r\u001b[2K'));
    progress.update('a', 2, 9, 'pages');
    assert.match(line(), /2\/9 pages/);
  });

  it('is written without a terminal as a line for each tenth or every ten seconds, but not for short work', () => {
    const { progress, wait, written } = open({});
    for (let done = 0; done <= 100; done += 1) progress.update('x', done, 100, 'pages');
    assert.equal(written(), '', 'done in no time');
    const slow = open({});
    for (let done = 0; done <= 100; done += 1) {
      slow.progress.update('model', done, 100, 'MB');
      slow.wait(0.5);
    }
    const lines = slow.written().trimEnd().split('\n');
    assert.equal(lines.length, 10);
    assert.equal(lines[4], 'model: 50/100 MB, 2 MB/s, 25 s left');
    wait(1);
    const stuck = open({});
    for (let second = 0; second < 60; second += 1) {
      stuck.progress.update('', 1, 1000, 'passages');
      stuck.wait(1);
    }
    assert.equal(stuck.written(), '1/1000 passages\n'.repeat(5));
  });

  it('writes nothing in silent mode', () => {
    for (const stream of [terminal, {}]) {
      const { progress, wait, written } = open(stream, true);
      progress.update('a', 1, 2, 'pages');
      wait(60);
      progress.whole(1, 2, 'files');
      progress.end('a');
      progress.clear();
      assert.equal(written(), '');
    }
  });

  it('writes times and speeds in convenient units', () => {
    const times = [0.2, 59, 60, 130, 3599, 3600, 3900, 90_000].map(describeSeconds);
    assert.deepEqual(times, [
      '1 s',
      '59 s',
      '1 min',
      '2 min 10 s',
      '59 min 59 s',
      '1 h',
      '1 h 5 min',
      '1 d 1 h',
    ]);
    const rates = [250.4, 9.96, 2, 0.5, 0.05, 0.001].map((rate) => describeRate(rate, 'pages'));
    assert.deepEqual(rates, [
      ...['250 pages/s', '10 pages/s', '2 pages/s', '0.5 pages/s', '3 pages/min', '3.6 pages/h'],
    ]);
  });

  it('shortens text at either end, but never within a character', () => {
    assert.equal(cutToColumns('abcdef', 4), 'abc…');
    assert.equal(cutToColumns('abcdef', 4, 'start'), '…def');
    assert.equal(cutToColumns('漢字漢字', 6), '漢字…');
    assert.equal(cutToColumns('🎉🎉🎉', 4), '🎉…');
    assert.equal(cutToColumns('abc', 3), 'abc');
    assert.equal(cutToColumns('abc', 0), '');
  });
});
