import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Status } from '../../src/operations/read-status.js';
import { openSqlite } from '../../src/platform/db/open-sqlite.js';
import { thisProcess } from '../../src/platform/process-name.js';
import { nameOfEndedProcess } from '../support/ended-process.js';
import { startOllamaStandIn, type OllamaStandIn } from '../support/ollama-stand-in.js';
import { openPseudoTerminal, type PseudoTerminal } from '../support/pseudo-terminal.js';
import {
  hosted,
  makeInitialized,
  makeInstallation,
  program,
  type TestInstallation,
} from '../support/run-cli.js';
import { sampleManual } from '../support/sample-manual.js';

type StatusReply = Omit<Status, 'models'> & { models: Record<string, unknown> };

/** A process counts as stopped on a system without /proc. */
async function isStopped(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') T');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}

describe('assistant status', () => {
  let installation: TestInstallation;
  let ollama: OllamaStandIn;
  let env: Record<string, string>;
  before(async () => {
    ollama = await startOllamaStandIn({ models: ['llama3.2:latest'] });
    env = { ASSISTANT_OLLAMA_URL: ollama.url };
  });
  after(() => ollama.stop());
  beforeEach(async () => (installation = hosted(await makeInitialized())));
  afterEach(() => installation.remove());

  const status = (more: Record<string, string> = {}) =>
    installation.json<StatusReply>(['status'], { env: { ...env, ...more } });
  const check = ({ checks }: StatusReply, name: string) => checks.find((one) => one.name === name);

  it('exits with 0 beside a running server, and names its address, version and process', async () => {
    const server = installation.start(['serve', '--port', '0'], env);
    const [, url] = await server.until(/serves at (\S+)/);
    const reply = await status();
    const [running] = reply.service.processes as Record<string, unknown>[];
    assert.deepEqual(
      [running?.['command'], running?.['url'], running?.['pid'], running?.['version']],
      ['serve', url, server.child.pid, reply.version],
    );
    assert.deepEqual([reply.status, reply.service.running], ['ok', true]);
    const { code, stdout } = await installation.run(['status'], { env });
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok {6}service: server at http\S+ since \d{4}-\d\d-\d\d \d\d:\d\d UTC/m);
    server.child.kill('SIGTERM');
    await server.ended;
    const files = await readdir(join(installation.folder, 'data'));
    assert.deepEqual(
      files.filter((name) => name.includes('process')),
      [],
    );
  });

  it('exits with 1 if no server runs, even after a kill, and names the command that starts one', async () => {
    const server = installation.start(['serve', '--port', '0'], env);
    await server.until(/serves at/);
    server.child.kill('SIGKILL');
    await server.ended;
    const { code, stdout } = await installation.run(['status'], { env });
    assert.equal(code, 1);
    assert.match(stdout, /^failed {2}service: no server runs\n {8}Start it: assistant serve$/m);
  });

  it('reports a suspended server or worker at once', async () => {
    const processes = [
      { command: ['serve', '--port', '0'], runs: /serves at/ },
      { command: ['worker'], runs: /The worker waits/ },
    ];
    for (const { command, runs } of processes) {
      const started = installation.start(command, env);
      await started.until(runs);
      started.child.kill('SIGSTOP');
      // A busy process stops only when the system schedules it again.
      while (!(await isStopped(started.child.pid ?? 0))) await wait(5);
      const { checks } = await status();
      started.child.kill('SIGKILL');
      await started.ended;
      const silent = checks.find(({ finding }) => finding.includes('does not respond'));
      assert.equal(silent?.status, 'failed', command[0]);
      assert.match(silent.finding, /last gave a sign of life \d+ s ago/);
      assert.match(silent.remedy ?? '', /assistant logs/);
    }
  });

  it('counts waiting, failed and unreviewed work, with the next command', async () => {
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(2));
    await writeFile(join(installation.folder, 'bad.pdf'), '%PDF-1.7 cut off');
    await installation.run(['ingest', '.']);
    await installation.run(['requests', 'create', 'Who paints the office?']);
    const reply = await status();
    const { drafts = 0, ...queue } = reply.queue ?? {};
    assert.deepEqual(queue, { waiting: 0, running: 0, failed: 1, requests: 1 });
    assert.ok(drafts > 0);
    assert.equal(check(reply, 'queue')?.status, 'warning');
    assert.match(check(reply, 'queue')?.remedy ?? '', /batches list --status failed/);
    assert.match(check(reply, 'drafts')?.remedy ?? '', /assistant knowledge list --status draft$/);
    assert.match(check(reply, 'requests')?.remedy ?? '', /assistant requests list --status open$/);
  });

  it('counts what a dead worker had begun as waiting, whatever its lease says', async () => {
    await writeFile(join(installation.folder, 'manual.pdf'), await sampleManual(1));
    await installation.run(['ingest', 'manual.pdf']);
    const db = openSqlite(join(installation.folder, 'data', 'assistant.sqlite'), 1, []);
    const hold = (holder: string) =>
      db('ingestion_batches').update({
        ...{ status: 'processing', lease_token: `${holder}.x` },
        lease_expires_at: '2999-01-01T00:00:00.000Z',
      });
    try {
      await hold(thisProcess);
      const alive = await status();
      assert.deepEqual([alive.queue?.running, alive.queue?.waiting], [1, 0]);
      await hold(await nameOfEndedProcess());
      const dead = await status();
      assert.deepEqual([dead.queue?.running, dead.queue?.waiting], [0, 1]);
      assert.match(check(dead, 'queue')?.finding ?? '', /^1 batch waiting, 0 running/);
      assert.match(check(dead, 'worker')?.remedy ?? '', /assistant worker/);
    } finally {
      await db.destroy();
    }
  });

  it('names the last backup, its file, and the time of its verification', async () => {
    assert.equal((await status()).backup, null);
    const folder = join(installation.folder, 'elsewhere');
    await mkdir(folder);
    const file = join(folder, 'a.tar.gz');
    await installation.run(['backup', file]);
    const made = (await status()).backup;
    assert.deepEqual([made?.file, made?.verified_at], [file, null]);
    await installation.run(['backup', 'verify', file]);
    const reply = await status();
    assert.match(reply.backup?.verified_at ?? '', /^\d{4}-/);
    assert.match(check(reply, 'backup')?.finding ?? '', /verified \d{4}-\d\d-\d\d .*a\.tar\.gz$/);
    await installation.run(['backup', join(folder, 'b.tar.gz')]);
    assert.equal((await status()).backup?.verified_at, null, 'another file');
  });

  it('names missing models, and exits with 5 if the server works without them', async () => {
    const server = installation.start(['serve', '--port', '0'], env);
    await server.until(/serves at/);
    const more = { ASSISTANT_OLLAMA_EMBEDDING_MODEL: 'nomic-embed-text' };
    const reply = await status(more);
    assert.deepEqual(reply.models, {
      url: ollama.url,
      ...{ reachable: true, chat_model: 'llama3.2', embedding_model: 'nomic-embed-text' },
      ...{ chat_installed: true, embedding_installed: false },
    });
    assert.match(check(reply, 'embedding model')?.remedy ?? '', /assistant models pull/);
    const { code } = await installation.run(['status'], { env: { ...env, ...more } });
    assert.equal(code, 5);
    const away = await status({ ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9' });
    assert.equal(away.models['reachable'], false);
    assert.match(check(away, 'ollama')?.finding ?? '', /^no Ollama answers/);
  });

  it('changes nothing without an installation, and names assistant init', async () => {
    const empty = hosted(await makeInstallation());
    try {
      const { code, stdout } = await empty.run(['status']);
      assert.equal(code, 1);
      assert.match(stdout, /^failed {2}database: there is none at .*\n? *.*assistant init$/m);
      assert.deepEqual(await readdir(empty.folder), []);
    } finally {
      await empty.remove();
    }
  });

  it('prints a JSON line per interval without a terminal, until it is interrupted', async () => {
    const watching = installation.start(['status', '--watch', '1', '--json'], env);
    await watching.until(/\n[^\n]+\n/);
    watching.child.kill('SIGINT');
    const { code, stdout } = await watching.ended;
    assert.equal(code, 130);
    for (const line of stdout.trim().split('\n')) {
      assert.equal((JSON.parse(line) as StatusReply).status, 'failed');
    }
  });

  it('ends when the reader of the lines has gone', async () => {
    const watching = installation.start(['status', '--watch', '1', '--json'], env);
    await watching.until(/\n/);
    watching.child.stdout?.destroy();
    const { code, stderr } = await watching.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });
});

describe('assistant status --watch at a terminal', () => {
  let installation: TestInstallation;
  let terminal: PseudoTerminal;
  before(async () => (installation = await makeInitialized()));
  after(() => installation.remove());
  beforeEach(() => {
    const line = `${process.execPath} ${program} status --watch 1`;
    const env = { ASSISTANT_OLLAMA_URL: 'http://127.0.0.1:9' };
    terminal = openPseudoTerminal(line, installation.folder, env);
  });
  afterEach(() => terminal.close());

  /** Matches a screen that was drawn twice. */
  const twice = /no server runs[\s\S]*\nassistant |no server runs[\s\S]*no server runs/;

  it('redraws the screen, and exits with 0 at q with the last state still shown', async () => {
    await terminal.shows(twice);
    terminal.type('q');
    assert.equal(await terminal.ended, 0);
    assert.match(terminal.screen().slice(-600), /data folder: /);
  });

  it('exits with 130 at Ctrl-C', async () => {
    await terminal.shows(twice);
    terminal.type('\u0003');
    assert.equal(await terminal.ended, 130);
  });
});
