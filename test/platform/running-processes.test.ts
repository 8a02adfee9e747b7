import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { thisProcess } from '../../src/platform/process-name.js';
import {
  announceProcess,
  askServers,
  listProcesses,
} from '../../src/platform/running-processes.js';
import { nameOfEndedProcess } from '../support/ended-process.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

describe('The running processes of a database', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  let database: string;
  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    database = join(folder.path, 'a.sqlite');
  });
  afterEach(() => folder.remove());

  const about = { command: 'serve', url: 'http://127.0.0.1:1', version: '1.2.3' } as const;
  const fileOf = (name: string) => `${database}.process-${name}`;
  const leave = (name: string) =>
    writeFile(fileOf(name), JSON.stringify({ ...about, pid: 1, startedAt: '2026-01-01' }));

  it('are listed from their start to their end', () => {
    const now = new Date();
    const withdraw = announceProcess(database, about, now);
    const [found] = listProcesses(database, new Date());
    assert.equal(found?.pid, process.pid);
    assert.deepEqual([found.command, found.url, found.version], ['serve', about.url, '1.2.3']);
    assert.equal(found.startedAt, now.toISOString());
    assert.equal(found.responds, true);
    withdraw();
    assert.deepEqual(listProcesses(database, new Date()), []);
  });

  it('do not include killed processes, whose files the next start removes', async () => {
    await leave(await nameOfEndedProcess());
    assert.deepEqual(listProcesses(database, new Date()), []);
    announceProcess(database, about, new Date())();
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('do not include silent processes of another machine, or incomplete files', async () => {
    const name = '1-2-000000000000';
    await leave(name);
    assert.equal(listProcesses(database, new Date()).length, 1);
    const before = new Date(Date.now() - 600_000);
    await utimes(fileOf(name), before, before);
    assert.deepEqual(listProcesses(database, new Date()), []);
    await writeFile(fileOf('1-3-000000000000'), '{"comm');
    assert.deepEqual(listProcesses(database, new Date()), []);
  });

  it('are listed as not responding if they are silent but have not ended', async () => {
    const withdraw = announceProcess(database, about, new Date());
    const before = new Date(Date.now() - 600_000);
    await utimes(fileOf(thisProcess), before, before);
    const [found] = listProcesses(database, new Date());
    assert.deepEqual([found?.responds, found?.seenAt], [false, before.toISOString()]);
    withdraw();
  });

  it('are listed as not responding if they accept a request but never answer', async () => {
    const responses = [];
    for (const look of [undefined, (socket: Socket) => socket.end('HTTP/1.1 503 No\r\n\r\n')]) {
      const server = createServer(look).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const one = { ...about, url, pid: 1, startedAt: '', seenAt: '', responds: true };
      // The last sign of life can seem old after the clock was set.
      for (const responds of [true, false]) {
        const [asked] = await askServers([{ ...one, responds }], 100);
        responses.push([asked?.responds]);
      }
      server.close();
      const worker = { ...one, command: 'worker', url: null } as const;
      responses.push((await askServers([one, worker], 100)).map(({ responds }) => responds));
    }
    assert.deepEqual(responses, [[false], [false], [true, true], [true], [true], [true, true]]);
  });
});
