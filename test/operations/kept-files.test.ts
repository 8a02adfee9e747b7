import assert from 'node:assert/strict';
import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBackupRecord, recordBackup } from '../../src/operations/backup/backup-record.js';
import { keepExamination, readExamination } from '../../src/operations/kept-examination.js';
import { configSchema } from '../../src/platform/config/schema.js';

describe('A file beside the database', () => {
  it('replaces a symbolic link at its path, and does not change the target of the link', async () => {
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
      await symlink(other, `${path}.last-backup`);
      const made = { file: 'a', created_at: '2026-01-01T00:00:00.000Z', size: 1 };
      await recordBackup(config, made);
      assert.equal(await readFile(other, 'utf8'), 'precious');
      assert.deepEqual((await readBackupRecord(config)).made, made);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
