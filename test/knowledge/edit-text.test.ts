import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { editText } from '../../src/knowledge/edit-text.js';
import { AppError } from '../../src/platform/errors.js';

describe('An entry in a text editor', () => {
  const { VISUAL, EDITOR } = process.env;
  beforeEach(() => Reflect.deleteProperty(process.env, 'VISUAL'));
  afterEach(() => {
    Reflect.deleteProperty(process.env, 'EDITOR');
    Object.assign(
      process.env,
      VISUAL === undefined ? {} : { VISUAL },
      EDITOR === undefined ? {} : { EDITOR },
    );
  });
  const store = (text: { title: string; content: string }) => Promise.resolve(text);

  it('is not stored if it was not changed, whatever its line ends and title are', async () => {
    process.env['EDITOR'] = 'true';
    for (const entry of [
      { title: 'Fees', content: 'One\r\nTwo\r\n' },
      { title: 'Fees\nand more', content: '\n  Three' },
    ]) {
      assert.equal(await editText(entry, store), undefined);
    }
  });

  it('gets its first line as the title, and is edited by EDITOR if VISUAL is blank', async () => {
    process.env['VISUAL'] = ' ';
    process.env['EDITOR'] = "sed -i '1s/.*/By hand/'";
    assert.deepEqual(await editText({ title: 'Fees', content: 'None.' }, store), {
      title: 'By hand',
      content: 'None.',
    });
  });

  it('is kept in a file that the error names if it can’t be stored', async () => {
    process.env['EDITOR'] = "sed -i '1s/.*/An hour of work/'";
    const refusal = new AppError('precondition_failed', 'Somebody was faster.');
    const edited = editText({ title: 'Fees', content: 'None.' }, () => Promise.reject(refusal));
    const error = await edited.then(
      () => undefined,
      (thrown: unknown) => thrown as AppError,
    );
    assert.equal(error?.code, 'precondition_failed');
    const file =
      /^Somebody was faster\. What you wrote is kept in (.*entry\.md)$/.exec(error.message)?.[1] ??
      '';
    try {
      assert.match(await readFile(file, 'utf8'), /^An hour of work\n\nNone\./);
    } finally {
      await rm(dirname(file), { recursive: true, force: true });
    }
  });

  it('is discarded if the editor fails or leaves an empty file', async () => {
    for (const [editor, message] of [
      ['false', /ended with 1/],
      ['truncate -s 0', /A title and a text are needed\. Nothing was saved\.$/],
    ] as const) {
      process.env['EDITOR'] = editor;
      await assert.rejects(editText({ title: 'Fees', content: 'None.' }, store), {
        code: 'cancelled',
        message,
      });
    }
  });
});
