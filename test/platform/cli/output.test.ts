import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { createOutput } from '../../../src/platform/cli/terminal.js';

describe('What a command says', () => {
  const title = 'red \u001b[31m \u009b31m \u007f \u202e title\n👩\u200d🔬 日本';
  const written = (json: boolean, quiet = false) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const out = createOutput({ stdin: new PassThrough(), stdout, stderr }, { json, quiet });
    out.result({ title }, title);
    out.note(title);
    const read = (stream: PassThrough) => String(stream.read() ?? '');
    return { stdout: read(stdout), stderr: read(stderr) };
  };

  it('can not act on the terminal, whatever text of others is in it', () => {
    const shown = 'red \uFFFD[31m \uFFFD31m \uFFFD \uFFFD title\n👩\u200d🔬 日本\n';
    assert.deepEqual(written(false), { stdout: shown, stderr: shown });
  });

  it('is that very text for a program, and no less harmless for a person who reads it', () => {
    const { stdout } = written(true);
    assert.doesNotMatch(stdout, /[\u001b\u007f-\u009f\u202e]/);
    assert.deepEqual(JSON.parse(stdout), { title });
  });

  it('is nothing but the result where it is to be quiet', () => {
    assert.equal(written(false, true).stderr, '');
  });
});
