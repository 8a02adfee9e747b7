import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  configToName,
  findOrigin,
  findServiceUser,
  listSteps,
  type StepFacts,
} from '../../../src/operations/upgrade/list-steps.js';

const facts: StepFacts = {
  origin: 'npm',
  packageName: '@acme/assistant',
  version: '2.0.0',
  serviceUser: 'assistant',
  configFile: undefined,
  isPending: false,
};
const commands = (change: Partial<StepFacts>) =>
  listSteps({ ...facts, ...change }).map(({ command }) => command);

describe('The steps of an upgrade', () => {
  it('rehearse, back up, stop, install, upgrade, start and check', () => {
    assert.deepEqual(commands({}), [
      'sudo npx --yes --allow-scripts=sqlite3 --package @acme/assistant@2.0.0 assistant upgrade --check',
      'sudo -u assistant assistant backup',
      'sudo systemctl stop assistant-server assistant-worker',
      'sudo npm install --global --allow-scripts=sqlite3 @acme/assistant@2.0.0',
      'sudo -u assistant assistant upgrade',
      'sudo systemctl start assistant-server assistant-worker',
      'sudo -u assistant assistant doctor',
    ]);
  });

  it('are empty if there is nothing to do, and install nothing if only migrations are pending', () => {
    assert.deepEqual(commands({ version: undefined }), []);
    assert.deepEqual(commands({ version: undefined, isPending: true, serviceUser: undefined }), [
      'assistant backup',
      null,
      'assistant upgrade',
      null,
      'assistant doctor',
    ]);
  });

  it('name the configuration file if a command would not find it', () => {
    assert.equal(configToName(join(process.cwd(), 'config.yaml')), undefined);
    assert.equal(configToName(undefined), undefined);
    const configFile = configToName('/srv/my files/config.yaml');
    assert.ok(
      commands({ configFile, serviceUser: undefined }).includes(
        "assistant backup --config '/srv/my files/config.yaml'",
      ),
    );
  });

  it('run as the user that the systemd unit names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assistant-test-'));
    try {
      assert.equal(findServiceUser(folder), undefined);
      await writeFile(join(folder, 'assistant-worker.service'), '[Service]\nUser=helpdesk\n');
      const serviceUser = findServiceUser(folder);
      assert.equal(commands({ serviceUser })[1], 'sudo -u helpdesk assistant backup');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('install the new version in the same way as the present one', () => {
    const install = (origin: StepFacts['origin']) => commands({ origin })[3];
    assert.equal(install('local'), 'npm install @acme/assistant@2.0.0');
    assert.match(install('git') ?? '', /git pull && npm ci$/);
    assert.equal(install('container'), null);
    const borrowed = listSteps({ ...facts, origin: 'npx', version: undefined, isPending: true });
    assert.match(borrowed[2]?.does ?? '', /^Install this version/);
    assert.match(borrowed[3]?.command ?? '', /assistant upgrade$/);
    assert.equal(findOrigin('/root/.npm/_npx/1a2b/node_modules/assistant', false), 'npx');
    assert.equal(findOrigin('/srv/app/node_modules/@acme/assistant', false), 'local');
    assert.equal(findOrigin('/usr/lib/node_modules/@acme/assistant', false), 'npm');
    assert.equal(findOrigin('/nowhere/assistant', false), 'folder');
    assert.equal(findOrigin('/nowhere/assistant', true), 'container');
  });
});
