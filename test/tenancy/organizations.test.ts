import assert from 'node:assert/strict';
import { claimDomain } from '../../src/tenancy/manage-domains.js';
import { appOfOrigin } from '../../src/tenancy/app-of-origin.js';
import { chooseApp } from '../../src/tenancy/choose-app.js';
import { createApp } from '../../src/tenancy/manage-apps.js';
import { createOrganization, slugOf } from '../../src/tenancy/all-organizations.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('Organizations and their apps', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let globex: TestOrganization;

  before(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
  });
  after(() => test.close());

  it('get a slug that is valid in a URL', () => {
    assert.equal(slugOf('Große Bücherei & Söhne'), 'grosse-bucherei-sohne');
    assert.equal(slugOf('東京'), 'organization');
    assert.equal(slugOf('--A--'), 'a');
  });

  it('have unique names', async () => {
    await assert.rejects(createOrganization(test.app, { name: 'ACME' }), { code: 'conflict' });
    await assert.rejects(createOrganization(test.app, { name: ' ' }), { code: 'invalid_request' });
    await assert.rejects(createApp(test.app, acme.operator, { name: 'Acme app' }), {
      code: 'conflict',
    });
    const same = await createApp(test.app, globex.operator, { name: 'Acme app' });
    assert.equal(same.organizationId, globex.operator.organizationId);
  });

  it('use their first app by default, and the app of a domain if that is given', async () => {
    const second = await createApp(test.app, acme.operator, { name: 'Second' });
    await claimDomain(test.app, acme.operator, { host: '*.second.example', appId: second.id });
    const choose = async (given: { appId?: number; domain?: string }) =>
      (await chooseApp(test.app, acme.operator, given)).app.id;
    assert.equal(await choose({}), acme.appId);
    assert.equal(await choose({ domain: 'WWW.second.example' }), second.id);
    assert.equal(await choose({ appId: second.id, domain: 'free.example' }), second.id);
  });

  it('can’t use each other’s apps and domains', async () => {
    const choose = (given: { appId?: number; domain?: string }) =>
      chooseApp(test.app, acme.operator, given);
    await assert.rejects(choose({ appId: globex.appId }), { code: 'not_found' });
    await assert.rejects(choose({ domain: globex.domain }), { code: 'conflict' });
    await assert.rejects(choose({ domain: 'unclaimed.example' }), { code: 'unprocessable' });
    await assert.rejects(
      claimDomain(test.app, acme.operator, { host: 'x.example', appId: globex.appId }),
      { code: 'not_found' },
    );
  });

  it('can’t claim a domain below another organization’s wildcard', async () => {
    const owner = await addOrganization(test, 'Umbrella', '*.umbrella.example');
    const taker = await addOrganization(test, 'Taker');
    await assert.rejects(
      claimDomain(test.app, taker.operator, { host: 'docs.umbrella.example', appId: taker.appId }),
      { code: 'conflict' },
    );
    await assert.rejects(
      claimDomain(test.app, taker.operator, {
        host: '*.docs.umbrella.example',
        appId: taker.appId,
      }),
      { code: 'conflict' },
    );
    const own = { host: 'docs.umbrella.example', appId: owner.appId };
    assert.equal((await claimDomain(test.app, owner.operator, own)).domain.host, own.host);
  });

  it('can’t claim a wildcard above another organization’s domain, or a public suffix', async () => {
    const owner = await addOrganization(test, 'Under', 'docs.under_score.example');
    const taker = await addOrganization(test, 'Over');
    const claim = (host: string, { operator, appId } = taker) =>
      claimDomain(test.app, operator, { host, appId });
    for (const host of ['*.under_score.example', '*.example']) {
      await assert.rejects(claim(host), {
        code: 'conflict',
        message: `The domain ${host} is above or below one that is registered by another organization already.`,
      });
    }
    await claim('*.underXscore.example');
    await claim('*.under_score.example', owner);
    await claim('new.under_score.example', owner);
    for (const host of ['com', '*.com', 'co.uk', '*.github.io']) {
      await assert.rejects(claim(host), { code: 'invalid_request' }, host);
    }
    await claim('*.localhost');
  });

  it('can claim a domain above another organization’s domain, which keeps its app', async () => {
    const owner = await addOrganization(test, 'Lower', 'docs.parent.example');
    const other = await addOrganization(test, 'Upper', 'parent.example');
    const appOf = (host: string) => appOfOrigin(test.app, `https://${host}`);
    assert.equal(await appOf('docs.parent.example'), owner.appId);
    assert.equal(await appOf('parent.example'), other.appId);
    assert.equal(await appOf('www.parent.example'), undefined);
  });

  it('can get wildcards, local names and names without a dot from the operator only', async () => {
    const { operator, appId } = await addOrganization(test, 'Byadmin');
    const { organizationId } = operator;
    const admin = { kind: 'user', organizationId, userId: 1, role: 'admin' } as const;
    const local = ['localhost', 'foo.localhost', 'wiki.internal', 'printer.local', '127.0.0.1'];
    for (const host of ['*.byadmin.example', 'intranet', ...local]) {
      await assert.rejects(claimDomain(test.app, admin, { host, appId }), { code: 'forbidden' });
    }
    for (const host of ['intranet', 'wiki.internal', '*.byadmin.example']) {
      await claimDomain(test.app, operator, { host, appId });
    }
    await claimDomain(test.app, admin, { host: 'docs.byadmin.example', appId });
  });
});
