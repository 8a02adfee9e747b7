import assert from 'node:assert/strict';
import { listSightings } from '../../src/federation/key-sightings.js';
import { createWidgetKey } from '../../src/federation/manage-widget-keys.js';
import { addOrganization, openTestApp, type TestApp } from '../support/test-app.js';
import { createTestClock, type TestClock } from '../support/test-clock.js';

describe('The list of hosts that use a widget key', () => {
  let test: TestApp;
  let clock: TestClock;

  beforeEach(async () => {
    clock = createTestClock();
    test = await openTestApp({}, clock);
  });
  afterEach(() => test.close());

  const makeKey = async (name: string) => {
    const { operator, appId } = await addOrganization(test, name);
    const { key } = await createWidgetKey(test.app, operator, { appId, kind: 'public', name });
    return { operator, key };
  };

  it('is updated at most once an hour for each host, and shown only to the key’s organization', async () => {
    const { operator, key } = await makeKey('Acme');
    const other = await makeKey('Other');
    const { keySightings } = test.app;
    const seen = async () => {
      await keySightings.settled();
      const all = await listSightings(test.app, operator);
      return all.map(({ host, seenAt }) => [host, seenAt]);
    };
    const start = clock.now().toISOString();
    keySightings.note(key.key, 'a.example');
    assert.deepEqual(await seen(), [['a.example', start]]);
    clock.advance(59 * 60_000);
    keySightings.note(key.key, 'a.example');
    assert.deepEqual(await seen(), [['a.example', start]]);
    clock.advance(60_000);
    const later = clock.now().toISOString();
    keySightings.note(key.key, 'a.example');
    keySightings.note(other.key.key, 'b.example');
    keySightings.note('wk_live_unknown', 'c.example');
    assert.deepEqual(await seen(), [['a.example', later]]);
  });

  it('contains the latest 50 hosts', async () => {
    const { operator, key } = await makeKey('Acme');
    for (let number = 0; number < 60; number += 1) {
      clock.advance(1000);
      test.app.keySightings.note(key.key, `host${number}.example`);
      await test.app.keySightings.settled();
    }
    const hosts = (await listSightings(test.app, operator)).map(({ host }) => host);
    assert.equal(hosts.length, 50);
    assert.equal(hosts[0], 'host59.example');
  });
});
