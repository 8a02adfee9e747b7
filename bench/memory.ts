import { readFile } from 'node:fs/promises';
import { createApiClient } from '../src/main/demo-api-client.js';
import { addOrganization, addUser, openTestApp } from '../test/support/test-app.js';
import { longManual } from './long-manual.js';
import { round, type BenchOptions, type Measure, type Row } from './measure.js';
import { listPdfs } from './pdf-folder.js';
import { watchMemory } from './peak-memory.js';
import { startServerProcess } from './server-process.js';

const longPages = 400;

/** Memory of a real server with its threads while it ingests the largest PDF of the folders, and a long one. */
export async function measureMemory({ pdfFolders }: BenchOptions): Promise<Measure> {
  const [largest] = (await listPdfs(pdfFolders)).sort((a, b) => b.size - a.size);
  const rows: Row[] = [];
  if (largest !== undefined) rows.push(await ingest(largest.name, await readFile(largest.path)));
  rows.push(await ingest('a generated manual', await longManual(longPages)));
  return {
    name: 'memory',
    about:
      'peak resident memory of `assistant serve` with two threads, in MB: once it serves, and when the file is ingested; a server of its own for each file',
    rows,
  };
}

async function ingest(name: string, bytes: Buffer): Promise<Row> {
  const test = await openTestApp();
  try {
    const acme = await addOrganization(test);
    const staff = await addUser(test, acme, 'backoffice');
    const server = await startServerProcess(test.app.config.database.path);
    const memory = watchMemory(server.pid);
    try {
      const started = await memory.soFar();
      const client = await createApiClient(server.url, staff.email, staff.password);
      const batch = await client.waitFor(await client.upload('file.pdf', bytes, acme.domain));
      return {
        file: name,
        'size MB': round(bytes.length / 2 ** 20),
        pages: batch.total_pages,
        outcome: batch.error?.code ?? batch.status,
        'started MB': started,
        'peak MB': await memory.soFar(),
      };
    } finally {
      memory.stop();
      await server.stop();
    }
  } finally {
    await test.close();
  }
}
