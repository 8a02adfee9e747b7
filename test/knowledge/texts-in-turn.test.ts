import assert from 'node:assert/strict';
import { createEntry } from '../../src/knowledge/create-entry.js';
import { updateEntry } from '../../src/knowledge/update-entry.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';

describe('Long texts that one organization stores at once', () => {
  let test: TestApp;
  let acme: TestOrganization;
  let globex: TestOrganization;
  before(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
    globex = await addOrganization(test, 'Globex');
  });
  after(() => test.close());

  it('delay another organization’s texts by only a few of them', async () => {
    const { app } = test;
    const done: string[] = [];
    const create = async ({ operator, domain }: TestOrganization, content: string) => {
      const entry = await createEntry(app, operator, { title: 'A title', content, domain });
      done.push(operator === acme.operator ? 'acme' : 'created');
      return entry;
    };
    const long = 'Backups are made at night. '.repeat(2000);
    const flood = Array.from({ length: 12 }, () => create(acme, long));
    await Promise.race(flood);
    const entry = await create(globex, 'Short.');
    const before = done.indexOf('created');
    await updateEntry(app, globex.operator, entry.uuid, { content: 'Shorter.' });
    done.push('updated');
    await Promise.all(flood);
    assert.ok(before <= 3, `before the short text, ${before} long ones were stored`);
    assert.ok(done.indexOf('updated') <= 7, done.join(' '));
  });
});
