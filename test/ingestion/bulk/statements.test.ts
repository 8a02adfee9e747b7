import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openLocalTarget } from '../../../src/ingestion/bulk/local-target.js';
import { runIngest, type RunOptions } from '../../../src/ingestion/bulk/run-ingest.js';
import { createOutput } from '../../../src/platform/cli/terminal.js';
import { sampleManual } from '../../support/sample-manual.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { addOrganization, openTestApp } from '../../support/test-app.js';

const files = 24;
/** The limit for a file that is stored alone. Files that are stored together take fewer statements. */
const mostPerFile = 20;
/** The limit for the run itself: its target, known files, and the batches of dead workers. */
const mostPerRun = 40;

/** Progress is stored and read by time, not by file, so that a busy machine needs more statements. */
const isProgress = (sql: string) =>
  /^update .ingestion_batches. set .total_pages.|^select \* from .ingestion_batches. where .organization_id. = \S+ and .id. (?:in|= any)/.test(
    sql,
  );

describe('Ingesting many small files', () => {
  it('takes at most 20 database statements for each, and two for an unchanged one', async () => {
    const folder = await makeTemporaryFolder();
    const test = await openTestApp();
    try {
      const acme = await addOrganization(test);
      await mkdir(join(folder.path, 'docs'));
      for (let index = 0; index < files; index++) {
        const bytes = await sampleManual(2, `subject${index}`);
        await writeFile(join(folder.path, 'docs', `${index}.pdf`), bytes);
      }
      let statements = 0;
      for (const db of [test.app.db.read, test.app.db.write]) {
        db.on('query', ({ sql }: { sql: string }) => {
          if (!isProgress(sql)) statements++;
        });
      }
      const run = async () => {
        const before = statements;
        const terminal = {
          ...{ stdin: new PassThrough().end() },
          ...{ stdout: new PassThrough(), stderr: new PassThrough() },
        };
        const out = createOutput(terminal, { json: true, quiet: true });
        const { signal: interrupted } = new AbortController();
        const options: RunOptions = {
          ...{ choice: { include: [], exclude: [] }, stdinName: undefined, quiet: true },
          ...{ approve: false, wait: true, dryRun: false, prune: false, yes: false },
          concurrency: 8,
        };
        const code = await runIngest(
          { out, terminal, interrupted },
          [join(folder.path, 'docs')],
          options,
          (giveUp) =>
            openLocalTarget(test.app, acme.operator, { force: false }, { work: true, giveUp }),
        );
        assert.equal(code, 0);
        return statements - before;
      };
      const first = await run();
      assert.ok(first <= files * mostPerFile + mostPerRun, `${first} statements`);
      const again = await run();
      assert.ok(again <= files * 2 + mostPerRun, `${again} statements for unchanged files`);
    } finally {
      await test.close();
      await folder.remove();
    }
  });
});
