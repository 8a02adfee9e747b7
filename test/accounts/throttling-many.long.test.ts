import assert from 'node:assert/strict';
import { callApi } from '../support/api-client.js';
import { serveTestApp, type TestApp } from '../support/test-app.js';

describe('Sign-in attempts of many people at once', () => {
  let test: TestApp & { url: string };

  beforeEach(async () => {
    test = await serveTestApp({ auth: { login_attempts: 3 } });
  });
  afterEach(() => test.close());

  it('do not hold up other requests until all of them are done', async () => {
    await test.close();
    test = await serveTestApp({ server: { trust_proxy: 1 } });
    const done: string[] = [];
    const attempts = Array.from({ length: 200 }, async (_, index) => {
      const { status, headers } = await callApi(`${test.url}/api/auth/login`, {
        body: { email: `nobody-${index}@example.com`, password: 'wrong password' },
        headers: { 'X-Forwarded-For': `10.1.${index}.1` },
      });
      done.push('attempt');
      return status === 429 ? Number(headers.get('retry-after')) : status;
    });
    await Promise.any(attempts);
    await callApi(`${test.url}/api/knowledge/page?url=https://acme.example/`);
    done.push('page');
    const outcomes = await Promise.all(attempts);
    assert.deepEqual([...new Set(outcomes)].sort(), [1, 401]);
    assert.ok(done.indexOf('page') < 150, `the page came after ${done.indexOf('page')} attempts`);
  });
});
