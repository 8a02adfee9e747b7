import assert from 'node:assert/strict';
import { readInsights } from '../../src/insights/read-insights.js';
import { listTopics } from '../../src/insights/topics.js';
import { codeOf } from '../../src/platform/errors.js';
import { addOrganization, openTestApp } from '../support/test-app.js';

describe('Counting questions', () => {
  it('refuses too many counts at once of one organization, and none of another', async () => {
    const test = await openTestApp();
    try {
      const acme = await addOrganization(test);
      const other = await addOrganization(test, 'Other');
      const page = { page: 1, limit: 10 };
      const flood = Array.from({ length: 60 }, () => [
        readInsights(test.app, acme.operator, {}),
        listTopics(test.app, acme.operator, page),
      ]).flat();
      const theirs = Promise.all([
        readInsights(test.app, other.operator, {}),
        listTopics(test.app, other.operator, page),
      ]);
      const ended = await Promise.allSettled<unknown>(flood);
      const refused = ended.filter(
        (one) => one.status === 'rejected' && codeOf(one.reason) === 'rate_limited',
      );
      assert.ok(refused.length > 0 && refused.length < ended.length, String(refused.length));
      assert.equal((await theirs).length, 2);
    } finally {
      await test.close();
    }
  });
});
