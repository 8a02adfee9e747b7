import assert from 'node:assert/strict';
import { findNewest, isNewer } from '../../../src/operations/upgrade/find-newest.js';
import { configSchema } from '../../../src/platform/config/schema.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';
import { startRegistry } from './stand-in-registry.js';

describe('The newest version', () => {
  it('is found by comparing numbers, and a pre-release comes before its release', () => {
    assert.ok(isNewer('0.10.0', '0.9.1'));
    assert.ok(isNewer('1.0.0', '1.0.0-beta.1'));
    assert.ok(!isNewer('1.0.0', '1.0.0'));
    assert.ok(!isNewer('0.9.9', '0.10.0'));
    assert.ok(!isNewer('2.0.0-rc.1', '2.0.0'));
  });

  it('is unknown without asking npm if no package name is set', async () => {
    const { version, reason } = await findNewest(undefined, { timeoutMs: 1 });
    assert.equal(version, null);
    assert.match(reason, /in no registry/);
  });

  it('is unknown if npm is not installed', async () => {
    const { reason } = await findNewest('x', { timeoutMs: 5000, env: { PATH: '/nowhere' } });
    assert.equal(reason, 'npm is not installed here');
  });

  it('is looked up by a setting that accepts package names and no shell syntax', () => {
    const named = (name: string) => configSchema.safeParse({ upgrade: { package: name } }).success;
    assert.ok(['', 'assistant', '@acme/assistant', 'a.b-c_d'].every(named));
    assert.ok(!['a b', 'a;ls', '--registry', '../x', '@acme', 'A$(x)'].some(named));
  });
});

describe('The registry that npm is configured with', () => {
  let cache: { path: string; remove(): Promise<void> };
  beforeEach(async () => (cache = await makeTemporaryFolder()));
  afterEach(() => cache.remove());

  const ask = async (name: string, settings: Record<string, string>, timeoutMs = 60_000) =>
    findNewest(name, {
      timeoutMs,
      env: { ...process.env, ...settings, npm_config_cache: cache.path },
    });

  it('provides the newest version and the Node version that it requires', async () => {
    const registry = await startRegistry('@acme/assistant', '9.8.7', { node: '>=30' });
    try {
      const newest = { version: '9.8.7', node: '>=30', reason: null };
      assert.deepEqual(await ask('@acme/assistant', registry.env), newest);
      const { version, reason } = await ask('another', registry.env);
      assert.deepEqual([version, reason], [null, 'the registry of npm has no package another']);
    } finally {
      await registry.stop();
    }
  });

  it('is reported in one sentence if it does not answer or can’t be reached', async () => {
    const registry = await startRegistry('x', '1.0.0', { isSilent: true });
    const silent = await ask('x', registry.env, 1500);
    await registry.stop();
    assert.equal(silent.reason, 'the registry of npm did not answer in time');
    const away = await ask('x', registry.env);
    assert.equal(away.reason, 'the registry of npm can’t be reached');
  });
});
