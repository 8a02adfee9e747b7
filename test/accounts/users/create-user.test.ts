import assert from 'node:assert/strict';
import { createUser } from '../../../src/accounts/users/create-user.js';
import { addOrganization, openTestApp, type TestApp } from '../../support/test-app.js';

describe('Creating a user', () => {
  let test: TestApp;
  const password = 'correct horse battery';

  before(async () => {
    test = await openTestApp();
  });
  after(() => test.close());

  it('refuses an invalid address, and a password that is too short or too long', async () => {
    const { operator } = await addOrganization(test);
    const create = (email: string, secret = password) =>
      createUser(test.app, operator, { email, role: 'user', password: secret });
    for (const email of ['', 'ada', 'a@', '@b', 'a b@c', `${'a'.repeat(65)}@example.com`]) {
      await assert.rejects(create(email), { code: 'invalid_request' }, email);
    }
    await assert.rejects(create('ada@example.com', 'x'.repeat(9)), { code: 'invalid_request' });
    await assert.rejects(create('ada@example.com', 'x'.repeat(1001)), { code: 'invalid_request' });
    assert.equal((await create('ada@example.com', 'x'.repeat(10))).displayName, 'ada');
  });

  it('allows one account per address in the installation, regardless of case', async () => {
    const one = await addOrganization(test, 'One');
    const two = await addOrganization(test, 'Two');
    const first = await createUser(test.app, one.operator, {
      email: 'Grace@Example.com',
      role: 'user',
      password,
      displayName: ' Grace ',
    });
    assert.deepEqual([first.email, first.displayName], ['Grace@Example.com', 'Grace']);
    await assert.rejects(
      createUser(test.app, two.operator, { email: 'grace@example.COM', role: 'user', password }),
      { code: 'conflict' },
    );
  });
});
