import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutFileOut } from '../../../src/platform/http/receive-upload.js';

describe('The file of an upload form', () => {
  const boundary = 'bb';
  const type = `multipart/form-data; boundary=${boundary}`;
  const head = (name: string, more = '') =>
    `\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const pdf = head('file', '; filename="a.pdf"\r\nContent-Type: application/pdf');
  const typed = head('file', '; filename="a.pdf"\r\nContent-Type: application/octet-stream');
  const formOf = (...parts: (string | Uint8Array)[][]) =>
    Buffer.concat(
      [...parts.flatMap((part) => [`--${boundary}`, ...part, '\r\n']), `--${boundary}--\r\n`].map(
        (piece) => Buffer.from(piece),
      ),
    );

  it('is extracted unchanged, even if it resembles a boundary, and the rest of the form is kept', () => {
    const pieces = ['\r', '\n', '\r\n', '\r\n\r\n', '-', '--b', '--bb\r\n', 'x', '\u0000'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 200 }), (some) => {
        const content = some.join('');
        fc.pre(
          !content.includes(`\r\n--${boundary}`) && !`\r\n\r\n${content}`.includes('\r\n--bb'),
        );
        const bytes = formOf(
          [head('domain'), 'a.example'],
          [pdf, content],
          [head('force'), 'true'],
        );
        const cut = cutFileOut(bytes, type, 1000);
        assert.deepEqual(
          cut?.files.map((file) => file.toString()),
          [content],
        );
        const left = cut.form.toString();
        const between = /boundary=(.*)/.exec(cut.contentType)?.[1] ?? '';
        assert.deepEqual(left.split(`--${between}`), [
          ...['', `${head('domain')}a.example\r\n`, `${typed}\r\n`],
          ...[`${head('force')}true\r\n`, '--\r\n'],
        ]);
      }),
    );
  });

  it('is not extracted if the form is invalid, incomplete or has too much other content', () => {
    const good = formOf([pdf, 'x'.repeat(5000)]);
    assert.equal(cutFileOut(good, type, 1000)?.files[0]?.length, 5000);
    for (const [bytes, contentType] of [
      [good, 'multipart/form-data'],
      [good, 'multipart/form-data; boundary=cc'],
      [good.subarray(0, -8), type],
      [formOf([head('domain'), 'x'.repeat(1000)], [pdf, 'x']), type],
      [formOf([head('x'.repeat(1000)), 'x'], [pdf, 'x']), type],
      [formOf(...Array<string[]>(20).fill([pdf, 'x'])), type],
      [Buffer.of(), type],
    ] as const)
      assert.equal(cutFileOut(bytes, contentType, 1000), undefined);
  });
});
