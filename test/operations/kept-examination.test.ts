import assert from 'node:assert/strict';
import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepExamination, readExamination } from '../../src/operations/kept-examination.js';
import { configSchema } from '../../src/platform/config/schema.js';

describe('The kept examination', () => {
  it('replaces a link in its place, and leaves the file that the link names alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assistant-examination-'));
    try {
      const path = join(folder, 'assistant.db');
      const file = `${path}.last-examination`;
      const other = join(folder, 'other');
      await writeFile(other, 'precious');
      await symlink(other, file);
      const config = configSchema.parse({ database: { path } });
      const checked = { status: 'ok' as const, checked_at: '2026-01-01T00:00:00.000Z' };
      await keepExamination(config, { ...checked, version: '1.0.0', checks: [] });
      assert.equal(await readFile(other, 'utf8'), 'precious');
      assert.equal((await lstat(file)).isSymbolicLink(), false);
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.equal((await readExamination(config))?.status, 'ok');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
