import assert from 'node:assert/strict';
import { createEntry } from '../../src/knowledge/create-entry.js';
import { deleteEntry } from '../../src/knowledge/delete-entry.js';
import { listDomainsPage, releaseDomain } from '../../src/tenancy/manage-domains.js';
import { deleteApp } from '../../src/tenancy/manage-apps.js';
import {
  addOrganization as addByOperator,
  deleteOrganization,
  getOrganizationNamed,
  listAllOrganizations,
} from '../../src/tenancy/all-organizations.js';
import { createUser } from '../../src/accounts/users/create-user.js';
import { updateOrganization } from '../../src/tenancy/manage-organization.js';
import { addOrganization, openTestApp, type TestApp } from '../support/test-app.js';

describe('The organizations of an installation', () => {
  let test: TestApp;
  beforeEach(async () => (test = await openTestApp()));
  afterEach(() => test.close());
  const everything = { page: 1, limit: 10 };

  it('can be listed, created and deleted by the operator, but not by admins', async () => {
    const { operator } = await addOrganization(test, 'Acme');
    const { organizationId } = operator;
    await addOrganization(test, 'Globex');
    const admin = { kind: 'user', organizationId, userId: 1, role: 'admin' } as const;
    for (const actor of [admin, { kind: 'anonymous' } as const])
      for (const attempt of [
        listAllOrganizations(test.app, actor, everything),
        getOrganizationNamed(test.app, actor, 'globex'),
        addByOperator(test.app, actor, { name: 'Initech' }),
        deleteOrganization(test.app, actor, 'globex'),
      ])
        await assert.rejects(attempt, { code: 'forbidden' });
    const { items, total } = await listAllOrganizations(test.app, operator, everything);
    assert.deepEqual([total, ...items.map(({ slug }) => slug)], [2, 'acme', 'globex']);
  });

  it('are found by their slug first, whatever names admins give to other organizations', async () => {
    const { operator } = await addOrganization(test, 'Acme');
    const other = await addOrganization(test, 'Globex');
    const { organizationId } = other.operator;
    for (const name of ['acme', 'ACME', 'initech']) {
      await updateOrganization(test.app, other.operator, organizationId, { name });
      for (const called of ['acme', 'ACME'])
        assert.equal((await getOrganizationNamed(test.app, operator, called)).slug, 'acme');
    }
    assert.equal((await getOrganizationNamed(test.app, operator, 'initech')).slug, 'globex');
    assert.equal((await addByOperator(test.app, operator, { name: 'Initech' })).slug, 'initech');
  });

  it('can be deleted with their users once their apps and entries are deleted', async () => {
    const { operator } = await addOrganization(test, 'Acme');
    const other = await addOrganization(test, 'Globex');
    const remove = () => deleteOrganization(test.app, operator, 'globex');
    await createUser(test.app, other.operator, {
      ...{ email: 'homer@globex.example', password: 'correct horse', role: 'admin' },
    });
    const { items } = await listDomainsPage(test.app, other.operator, everything);
    await assert.rejects(remove(), { code: 'conflict', message: /apps \(1\) or entries \(0\)/ });
    for (const { id } of items) await releaseDomain(test.app, other.operator, id);
    await deleteApp(test.app, other.operator, other.appId);
    const waiting = { title: 'T', content: 'C', domain: 'later.example', status: 'draft' } as const;
    const { uuid } = await createEntry(test.app, other.operator, waiting);
    await assert.rejects(remove(), { code: 'conflict', message: /apps \(0\) or entries \(1\)/ });
    await deleteEntry(test.app, other.operator, uuid);
    await assert.rejects(deleteOrganization(test.app, other.operator, 'globex'), {
      code: 'conflict',
      message: /acting in globex/,
    });
    assert.equal((await remove()).name, 'Globex');
    await assert.rejects(remove(), { code: 'not_found' });
    const anew = await addByOperator(test.app, operator, { name: 'Globex' });
    const inside = { kind: 'operator', organizationId: anew.id } as const;
    // The e-mail address is free again, since the users were deleted too.
    await createUser(test.app, inside, {
      ...{ email: 'homer@globex.example', password: 'correct horse', role: 'admin' },
    });
  });
});
