import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createApiClient } from '../src/main/demo-api-client.js';
import { addOrganization, addUser, openTestApp } from '../test/support/test-app.js';
import type { BenchOptions, Measure } from './measure.js';
import { startServerProcess } from './server-process.js';

/** Memory of a real server with its threads while it ingests the largest PDF of the folders. */
export async function measureMemory({ pdfFolders }: BenchOptions): Promise<Measure> {
  const largest = await findLargest(pdfFolders);
  const test = await openTestApp();
  try {
    const acme = await addOrganization(test);
    const staff = await addUser(test, acme, 'backoffice');
    const server = await startServerProcess(test.app.config.database.path);
    try {
      const before = await peakOf(server.child.pid);
      const client = await createApiClient(server.url, staff.email, staff.password);
      const id = await client.upload('file.pdf', await readFile(largest.path), acme.domain);
      const batch = await client.waitFor(id);
      const after = await peakOf(server.child.pid);
      return {
        name: 'memory',
        about:
          'peak resident memory of `assistant serve` with two threads, in MB, before and after the largest file was ingested',
        rows: [
          {
            file: basename(largest.path),
            'size MB': Math.round(largest.size / 104_857.6) / 10,
            pages: batch.total_pages,
            outcome: batch.error?.code ?? batch.status,
            'started MB': before,
            'peak MB': after,
          },
        ],
      };
    } finally {
      await server.stop();
    }
  } finally {
    await test.close();
  }
}

async function findLargest(folders: string[]): Promise<{ path: string; size: number }> {
  let largest: { path: string; size: number } | undefined;
  for (const folder of folders) {
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.pdf')) continue;
      const path = join(folder, name);
      const { size } = await stat(path);
      if (largest === undefined || size > largest.size) largest = { path, size };
    }
  }
  if (largest === undefined) throw new Error('there is no PDF in the folders');
  return largest;
}

/** The kernel's own high-water mark; only Linux tells it. */
async function peakOf(pid: number | undefined): Promise<number | string> {
  const file = `/proc/${pid ?? 0}/status`;
  if (!existsSync(file)) return 'not known on this system';
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(await readFile(file, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}
