import assert from 'node:assert/strict';
import { fileTrouble } from '../../../src/platform/cli/file-trouble.js';

describe('An error of the file system', () => {
  const error = (code: string) => Object.assign(new Error(`${code}: no`), { code });

  it('is reported with its cause if the disk, the permissions or a missing native module caused it', () => {
    for (const code of ['ENOSPC', 'EDQUOT', 'EFBIG']) {
      assert.equal(fileTrouble(error(code))?.code, 'no_space', code);
    }
    assert.equal(fileTrouble(new Error('SQLITE_FULL: database or disk is full'))?.code, 'no_space');
    assert.equal(fileTrouble(error('EACCES'))?.code, 'usage');
    assert.match(
      fileTrouble(error('EROFS'))?.message ?? '',
      /file system is read-only \(EROFS: no/,
    );
    assert.match(fileTrouble(error('EMFILE'))?.message ?? '', /Raise the limit: ulimit -n 1024/);
    assert.equal(fileTrouble(error('ENOENT')), undefined);
    const gone = Object.assign(error('ENOENT'), { syscall: 'uv_cwd' });
    assert.match(fileTrouble(gone)?.message ?? '', /The current folder no longer exists/);
    assert.equal(fileTrouble('ENOSPC'), undefined);
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = '/no/such/folder';
    const lost = Object.assign(error('ENOENT'), { path: '/no/such/folder/assistant-demo-XXXXXX' });
    assert.match(fileTrouble(lost)?.message ?? '', /no folder \/no\/such\/folder for temporary/);
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    for (const [message, name] of [
      ['Knex: run\n$ npm install sqlite3 --save\nCould not locate the bindings file', 'sqlite3'],
      ['/x/node_sqlite3.node: file too short', 'sqlite3'],
      ['Cannot find native binding. npm has a bug', '@node-rs/argon2'],
    ] as const) {
      const trouble = fileTrouble(new Error(message));
      assert.equal(trouble?.code, 'invalid_config');
      assert.ok(trouble.message.includes(`(${name})`), trouble.message);
      assert.match(trouble.message, /npm install --global --allow-scripts=sqlite3 \S+\.tgz/);
    }
  });
});
