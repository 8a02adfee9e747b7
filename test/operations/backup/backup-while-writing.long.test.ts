import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createEntry } from '../../../src/knowledge/create-entry.js';
import { openApp } from '../../../src/main/open-app.js';
import { createBackup } from '../../../src/operations/backup/create-backup.js';
import { unpackBackup, findFaults } from '../../../src/operations/backup/unpack-backup.js';
import { addOrganization, openTestApp, type TestApp } from '../../support/test-app.js';

describe('A backup that is created during writes', () => {
  let test: TestApp;
  const folders = { count: 0 };
  beforeEach(async () => (test = await openTestApp()));
  afterEach(() => test.close());

  const file = (name: string) => join(test.folder, name);
  const input = { configFile: undefined };
  const unpack = async (backup: string) => {
    const folder = file(`unpacked-${folders.count++}`);
    await mkdir(folder);
    return unpackBackup(backup, folder);
  };

  it('is consistent and contains each transaction completely or not at all', async () => {
    const organization = await addOrganization(test);
    const other = await openApp(test.app.config);
    const making: Promise<string>[] = [];
    let written = 0;
    const write = async (app: typeof test.app, from: number) => {
      for (let index = from; index < 500; index += 2) {
        await createEntry(app, organization.operator, {
          ...{ title: `Fact ${index}`, content: `Fact number ${index}.`, status: 'published' },
          domain: organization.domain,
        });
        if (++written % 100 !== 50) continue;
        const made = createBackup(test.app, { ...input, file: file(`${written}.tar.gz`) });
        making.push(made.then((backup) => backup.file));
      }
    };
    try {
      await Promise.all([write(test.app, 0), write(other, 1)]);
      const made = await Promise.all(making);
      assert.equal(made.length, 5);
      const sizes: number[] = [];
      for (const one of made) {
        const unpacked = await unpack(one);
        assert.deepEqual(await findFaults(unpacked), []);
        const counts = unpacked.manifest?.counts ?? {};
        // One transaction writes an entry, its passage and the passage's search data.
        const entries = counts['knowledge_entries'] ?? -1;
        assert.equal(counts['passages'], entries);
        assert.equal(counts['passage_features'], entries);
        sizes.push(entries);
      }
      assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => a - b),
      );
      assert.ok((sizes.at(0) ?? 500) < 500, 'it was made while entries were');
      const last = await createBackup(test.app, input);
      assert.equal(last.manifest.counts['knowledge_entries'], 500);
    } finally {
      await other.close();
    }
  });
});
