import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describeChecks } from '../../../src/operations/describe-checks.js';
import {
  createOutput,
  endDocument,
  type GrowingDocument,
  type Terminal,
} from '../../../src/platform/cli/terminal.js';
import { safeJson } from '../../../src/platform/text/printable.js';

describe('The output of a command', () => {
  const title = 'red \u001b[31m \u009b31m \u007f \u202e title\n👩\u200d🔬 日本';
  const written = (json: boolean, quiet = false) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const out = createOutput({ stdin: new PassThrough(), stdout, stderr }, { json, quiet });
    out.result({ title }, title);
    out.note(title);
    const read = (stream: PassThrough) => String(stream.read() ?? '');
    return { stdout: read(stdout), stderr: read(stderr) };
  };

  it('contains no control characters for the terminal', () => {
    const shown = 'red \uFFFD[31m \uFFFD31m \uFFFD \uFFFD title\n👩\u200d🔬 日本\n';
    assert.deepEqual(written(false), { stdout: shown, stderr: shown });
  });

  it('keeps the exact text in JSON, with control characters escaped', () => {
    const { stdout } = written(true);
    assert.doesNotMatch(stdout, /[\u001b\u007f-\u009f\u202e]/);
    assert.deepEqual(JSON.parse(stdout), { title });
  });

  it('wraps notes between words at a terminal, but never within a command', () => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
    const terminal = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
    const path = `/srv/assistant/${'a'.repeat(40)}`;
    createOutput(terminal, { json: false, quiet: false }).note(
      `The configuration can't be read. Make it with: assistant init ${path} --yes`,
    );
    assert.deepEqual(String(stderr.read()).split('\n'), [
      "The configuration can't be read. Make",
      'it with:',
      `assistant init ${path} --yes`,
      '',
    ]);
    const check = { status: 'failed', name: 'backup', finding: path, remedy: 'Make one.' } as const;
    assert.deepEqual(describeChecks([check], 40).split('\n'), [
      'failed  backup:',
      `        ${path}`,
      '        Make one.',
    ]);
  });

  it('contains only the result in quiet mode', () => {
    assert.equal(written(false, true).stderr, '');
  });

  it('is the same JSON document if its list arrives item by item, and is completed after an error', () => {
    const items = [
      { name: 'one\ntwo', pages: [1, 2] },
      { name: '\u009b31m', pages: [] },
    ];
    const stdoutOf = (
      count: number,
      end: (terminal: Terminal, document: GrowingDocument) => void,
    ) => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const terminal = { stdin: new PassThrough(), stdout, stderr };
      const out = createOutput(terminal, { json: true, quiet: false });
      const document = out.document({ dry_run: true }, 'files');
      items.slice(0, count).forEach((item) => document.add(item));
      end(terminal, document);
      return String(stdout.read() ?? '');
    };
    for (const count of [0, 1, 2]) {
      const whole = { dry_run: true, files: items.slice(0, count), summary: { files: count } };
      const text = stdoutOf(count, (_, document) => document.end({ summary: { files: count } }));
      assert.equal(text, `${safeJson(whole, 2)}\n`);
    }
    const error = { code: 'internal', message: 'The server is gone.' };
    const broken = stdoutOf(1, (terminal) => assert.ok(endDocument(terminal, { error })));
    assert.deepEqual(JSON.parse(broken), { dry_run: true, files: items.slice(0, 1), error });
    assert.equal(
      stdoutOf(0, (terminal) => assert.ok(!endDocument(terminal, { error }))),
      '',
      'nothing was begun',
    );
  });
});
