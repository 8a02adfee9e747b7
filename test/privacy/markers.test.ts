import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { createUser } from '../../src/accounts/users/create-user.js';
import { createProvider } from '../../src/accounts/sso/manage-providers.js';
import { insertEndUser } from '../../src/federation/end-users.repository.js';
import { erasePerson } from '../../src/privacy/erase-person.js';
import { exportPerson } from '../../src/privacy/export-person.js';
import { rehearse } from '../../src/platform/db/in-transaction.js';
import type { NamedPerson } from '../../src/privacy/person.js';
import { personalTables } from '../../src/privacy/personal-tables.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../support/test-app.js';
import {
  declaredColumns,
  plantMarkers,
  readSchema,
  storedBytes,
  type Planted,
} from './plant-markers.js';

const personKinds = ['user', 'end_user', 'visitor'] as const;
type PersonKind = (typeof personKinds)[number];

interface MarkedPerson {
  named: NamedPerson;
  /** All markers of the person, by table. */
  markers: Map<string, string[]>;
}

describe('Markers in every personal text', () => {
  let test: TestApp;
  let acme: TestOrganization;

  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  async function addMarked(kind: PersonKind, name: string): Promise<MarkedPerson> {
    const { app } = test;
    const { organizationId } = acme.operator;
    const email = `marker-${name}-mail@mark.example`;
    const user = await createUser(app, acme.operator, {
      ...{ email: kind === 'user' ? email : `${name}@other.example`, role: 'user' },
      ...{ password: 'correct horse battery', displayName: `marker-${name}-shown` },
    });
    const endUser = await insertEndUser(app, {
      ...{ organizationId, appId: acme.appId, userId: null, externalId: `marker-${name}-external` },
      ...{ email: kind === 'end_user' ? email : null, displayName: `marker-${name}-host` },
    });
    const visitor = `marker-${name}-${randomUUID()}`.slice(0, 36);
    const person: Planted = {
      ...{ name, email, user: kind === 'user' ? user.id : null },
      ...{ end_user: kind === 'end_user' ? endUser.id : null },
      ...{ visitor: kind === 'visitor' ? visitor : null, conversation: null },
    };
    const provider = await createProvider(app, acme.operator, {
      ...{ name, clientId: 'assistant', issuer: 'https://login.example.com' },
    });
    const known = {
      ...{ organizations: organizationId, apps: acme.appId, users: user.id },
      ...{ end_users: endUser.id, identity_providers: provider.id },
    };
    const schema = await readSchema(app.db);
    const markers = await plantMarkers(app.db.write, schema, person, known);
    const identity = {
      user: [email, `marker-${name}-shown`, `marker-${name}-external`, `marker-${name}-host`],
      end_user: [email, `marker-${name}-external`, `marker-${name}-host`],
      visitor: [visitor],
    };
    markers.set('person', identity[kind]);
    const ids = { user: user.id, end_user: endUser.id, visitor };
    return { named: { kind, id: String(ids[kind]) }, markers };
  }

  for (const kind of personKinds) {
    it(`are in the export of their ${kind} unless withheld, and in no export of another person`, async () => {
      const ada = await addMarked(kind, 'ada');
      const grace = await addMarked(kind, 'grace');
      const { zip } = await exportPerson(test.app, acme.operator, ada.named);
      const files = Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes)]);
      const whole = files.map(([, text]) => text).join('\n');
      for (const [table, markers] of ada.markers) {
        const declared = personalTables.filter((one) => one.table === table);
        const withheld = declared.flatMap((one) => one.withheld ?? []);
        for (const marker of markers) {
          const isWithheld = withheld.some((column) => marker.endsWith(`-${column}`));
          const isDraft = marker.endsWith('knowledge_requests-response');
          assert.equal(whole.includes(marker), !isWithheld && !isDraft, marker);
        }
      }
      for (const marker of [...grace.markers.values()].flat()) {
        assert.ok(!whole.includes(marker), `${marker} in the export of another`);
      }
      assert.ok(files.some(([name]) => name === 'about.json'));
    });

    it(`are gone from the database after the erasure of their ${kind}, and those of others are kept`, async () => {
      const ada = await addMarked(kind, 'ada');
      const grace = await addMarked(kind, 'grace');
      const all = await storedBytes(test.app);
      for (const marker of [...ada.markers.values()].flat())
        assert.ok(all.includes(marker), marker);
      const rehearsed = await rehearse(test.app, (app) =>
        erasePerson(app, acme.operator, ada.named),
      );
      const erased = await erasePerson(test.app, acme.operator, ada.named);
      assert.deepEqual({ ...rehearsed, rewritten: true }, erased);
      const left = await storedBytes(test.app);
      for (const marker of [...ada.markers.values()].flat()) {
        assert.ok(!left.includes(marker), `${marker} is still there`);
      }
      for (const marker of [...grace.markers.values()].flat()) {
        assert.ok(left.includes(marker), `${marker} of another is gone`);
      }
      await assert.rejects(erasePerson(test.app, acme.operator, ada.named), { code: 'not_found' });
      const changes = await test.app.db.read<{ action: string }>('audit_log').pluck('action');
      assert.equal(changes.filter((action) => action === 'person.erase').length, 1);
    });
  }

  it('are in every table with personal texts, for at least one kind of person', async () => {
    const planted = new Set<string>();
    for (const kind of personKinds) {
      const { markers } = await addMarked(kind, `some-${kind.replace('_', '')}`);
      for (const [table, list] of markers) if (list.length > 0) planted.add(table);
    }
    const personal = personalTables.filter(
      ({ table }) => declaredColumns(table).personal.length > 0,
    );
    // These two tables are the people themselves.
    const expected = personal
      .map(({ table }) => table)
      .filter((table) => !/^(end_)?users$/.test(table));
    assert.deepEqual(
      [...new Set(expected)].filter((table) => !planted.has(table)),
      [],
    );
  });
});
