import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  installService,
  planService,
  uninstallService,
} from '../../src/operations/service/install-service.js';
import type { Machine } from '../../src/operations/service/machine.js';
import { readServiceStatus, unwell } from '../../src/operations/service/service-status.js';
import { serviceUnits, type ServicePlan } from '../../src/operations/service/service-units.js';
import { hosted, makeInitialized } from '../support/run-cli.js';

const plan: ServicePlan = {
  folder: '/srv/assistant',
  configFile: '/srv/assistant/config.yaml',
  data: '/srv/assistant/data',
  backups: '/mnt/backups',
  keep: 14,
  user: 'assistant',
  secrets: '/srv/assistant/secrets.env',
  node: '/usr/bin/node',
  program: '/usr/lib/node_modules/assistant/bin/assistant.js',
  stopMs: 30_000,
  port: 8080,
  systemdVersion: 255,
};

/** The values of each key of a unit. A key may occur several times. */
function read(more: Partial<ServicePlan>, name: string): Map<string, string[]> {
  const text = serviceUnits({ ...plan, ...more }).find((unit) => unit.name === name)?.text ?? '';
  const values = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    if (line === '' || /^[#[]/.test(line)) continue;
    const at = line.indexOf('=');
    assert.ok(at > 0, line);
    const key = line.slice(0, at);
    values.set(key, [...(values.get(key) ?? []), line.slice(at + 1)]);
  }
  return values;
}

describe('The systemd units', () => {
  const server = (more: Partial<ServicePlan> = {}) => read(more, 'assistant-server.service');

  it('run server and worker separately, as a user who may write only to the data folder', () => {
    for (const [name, command] of [
      ['assistant-server.service', 'serve'],
      ['assistant-worker.service', 'worker'],
    ] as const) {
      const unit = read({}, name);
      const line = `${plan.node} ${plan.program} ${command} --config ${plan.configFile}`;
      assert.deepEqual(unit.get('ExecStart'), [line]);
      assert.deepEqual(unit.get('User'), ['assistant']);
      assert.deepEqual(unit.get('ReadWritePaths'), ['/srv/assistant/data']);
      assert.deepEqual(unit.get('ProtectSystem'), ['strict']);
      assert.deepEqual(unit.get('ProtectHome'), ['true']);
      assert.deepEqual(unit.get('CapabilityBoundingSet'), ['']);
      assert.deepEqual(unit.get('NoNewPrivileges'), ['true']);
      assert.deepEqual(unit.get('EnvironmentFile'), ['-/srv/assistant/secrets.env']);
      // V8 runs code that it compiles in memory.
      assert.equal(unit.has('MemoryDenyWriteExecute'), false);
    }
    assert.match(server().get('Environment')?.[0] ?? '', /INGESTION_WORKER=false/);
    assert.equal(read({}, 'assistant-worker.service').has('Environment'), false);
  });

  it('give the server its full time to stop, and restart it with growing delays, but not after wrong settings', () => {
    assert.deepEqual(server({ stopMs: 75_500 }).get('TimeoutStopSec'), ['76']);
    assert.deepEqual(server().get('Restart'), ['on-failure']);
    assert.deepEqual(server().get('RestartPreventExitStatus'), ['2 3']);
    assert.deepEqual(server().get('RestartMaxDelaySec'), ['60']);
    assert.equal(server({ systemdVersion: 252 }).has('RestartMaxDelaySec'), false);
    assert.deepEqual(server({ systemdVersion: 252 }).get('RestartSec'), ['10']);
  });

  it('create a backup each night, in a folder that the backup unit may write to', () => {
    const backup = read({}, 'assistant-backup.service');
    assert.match(backup.get('ExecStart')?.[0] ?? '', / backup \/mnt\/backups --keep 14 --quiet /);
    assert.deepEqual(backup.get('ReadWritePaths'), ['/srv/assistant/data /mnt/backups']);
    assert.deepEqual(read({}, 'assistant-backup.timer').get('OnCalendar'), ['*-*-* 02:15:00']);
  });

  it('escape spaces, quotes, dollar signs and percent signs in paths', () => {
    const odd = server({ program: '/opt/a "b" $c 100%/assistant.js', folder: '/srv/50%' });
    const line = odd.get('ExecStart')?.[0] ?? '';
    assert.ok(line.startsWith('/usr/bin/node "/opt/a \\"b\\" $$c 100%%/assistant.js" serve'), line);
    assert.deepEqual(odd.get('WorkingDirectory'), ['/srv/50%%']);
  });

  it('may read home folders if Node is in one, and may open a port below 1024 if it is set', () => {
    assert.deepEqual(server({ node: '/home/ada/.nvm/node' }).get('ProtectHome'), ['read-only']);
    assert.deepEqual(server({ folder: '/homestead' }).get('ProtectHome'), ['true']);
    const low = server({ port: 443 });
    assert.deepEqual(low.get('AmbientCapabilities'), ['CAP_NET_BIND_SERVICE']);
    assert.deepEqual(low.get('PrivateUsers'), ['false']);
  });
});

describe('The installer of the systemd units', () => {
  let folder: string;
  let ran: string[];
  /** A machine that only records the commands it would run: no test may change real services. */
  const machine = (answers: Record<string, { code?: number; stdout?: string }> = {}): Machine => ({
    units: join(folder, 'units'),
    isRoot: true,
    hasSystemd: true,
    run(command, args) {
      const line = [command, ...args].join(' ');
      ran.push(line);
      const known = Object.entries(answers).find(([start]) => line.startsWith(start))?.[1];
      return Promise.resolve({ code: 0, stdout: '', stderr: 'refused', ...known });
    },
  });
  const here = (): ServicePlan => ({ ...plan, folder, secrets: join(folder, 'secrets.env') });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assistant-test-'));
    ran = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('creates the user, gives it the data folder, writes the units and starts them', async () => {
    await installService(here(), machine({ 'id -u': { code: 1 } }));
    assert.deepEqual((await readdir(join(folder, 'units'))).sort(), [
      ...['assistant-backup.service', 'assistant-backup.timer'],
      ...['assistant-server.service', 'assistant-worker.service'],
    ]);
    assert.equal((await stat(join(folder, 'secrets.env'))).mode & 0o777, 0o600);
    const programs = ran.map((line) => line.split(' ')[0]);
    const expected = ['id', 'useradd', 'mkdir', 'chown', 'chgrp', 'chmod', 'runuser'];
    assert.deepEqual(programs, [...expected, 'systemctl', 'systemctl']);
    const last =
      'enable --now assistant-server.service assistant-worker.service assistant-backup.timer';
    assert.equal(ran.at(-1), `systemctl ${last}`);
  });

  it('changes nothing the second time, and restarts a service whose unit has changed', async () => {
    await installService(here(), machine());
    const again = await installService(here(), machine());
    assert.ok(again.units.every(({ state }) => state === 'unchanged'));
    assert.equal(
      ran.some((line) => /useradd|restart/.test(line)),
      false,
    );
    await installService({ ...here(), port: 80 }, machine());
    assert.equal(ran.at(-1), 'systemctl restart assistant-server.service');
  });

  it('writes no unit if the user can’t run the program, and says what to do', async () => {
    const refused = installService(here(), machine({ runuser: { code: 1 } }));
    await assert.rejects(refused, /user assistant can't run .*npm install --global/);
    assert.equal((await readdir(folder)).length, 0);
  });

  it('tries the program as the user, with a command that fails without a database', async () => {
    const installation = hosted(await makeInitialized());
    try {
      const configFile = join(installation.folder, 'config.yaml');
      const { before } = await planService({ ...here(), configFile }, machine());
      const line = before.find(([command]) => command === 'runuser') ?? [];
      const args = line.slice(line.indexOf(plan.program) + 1);
      const { code, stderr } = await installation.run(args);
      assert.deepEqual([code, stderr], [0, '']);
      await rm(join(installation.folder, 'data'), { recursive: true });
      assert.equal((await installation.run(args)).code, 3);
    } finally {
      await installation.remove();
    }
  });

  it('removes the units but keeps the secrets, and does nothing the second time', async () => {
    await installService(here(), machine());
    assert.equal((await uninstallService(machine())).length, 4);
    assert.deepEqual(await readdir(join(folder, 'units')), []);
    assert.match(await readFile(join(folder, 'secrets.env'), 'utf8'), /^# Secrets/);
    assert.deepEqual(await uninstallService(machine()), []);
  });

  it('reads the status of each unit', async () => {
    const block = (id: string, state: string, more = '') =>
      `Id=${id}\nLoadState=loaded\nActiveState=${state}\nSubState=running\nUnitFileState=enabled\nMainPID=12\nNRestarts=3\nResult=success\n${more}`;
    const stdout = [
      block('assistant-server.service', 'active', 'StateChangeTimestamp=Mon 2026-11-23'),
      block('assistant-backup.service', 'inactive'),
    ].join('\n\n');
    const units = await readServiceStatus(machine({ systemctl: { stdout } }));
    assert.deepEqual(units[0], {
      unit: 'assistant-server.service',
      installed: true,
      state: 'active',
      detail: 'running',
      enabled: true,
      pid: 12,
      restarts: 3,
      since: 'Mon 2026-11-23',
      next: null,
      result: 'success',
    });
    assert.deepEqual(unwell(units), []);
    const failed = block('assistant-backup.service', 'failed');
    const bad = unwell(await readServiceStatus(machine({ systemctl: { stdout: failed } })));
    assert.deepEqual(
      bad.map(({ unit }) => unit),
      ['assistant-backup.service'],
    );
  });
});
