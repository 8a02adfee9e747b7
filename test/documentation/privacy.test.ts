import assert from 'node:assert/strict';
import { configSchema } from '../../src/platform/config/schema.js';
import { personalTables } from '../../src/privacy/personal-tables.js';
import { checkLinks, readPage, tablesUnder } from './read-page.js';

const path = 'docs/privacy.md';

describe('docs/privacy.md', () => {
  const page = readPage(path);

  it('links only to existing pages and headings', () => {
    checkLinks(path);
  });

  it('lists every table with personal data, and the effect of an erasure on it', () => {
    const rows = tablesUnder(page, 'What is stored').flat();
    const documented = new Map(
      rows.flatMap(([, tables = '', , erased = '']) =>
        [...tables.matchAll(/`(\w+)`/g)].map(([, table = '']) => [table, erased] as const),
      ),
    );
    const done = new Map<string, string>();
    for (const { table, as, erase } of personalTables) {
      if (as !== undefined && done.has(table)) continue;
      const word =
        erase === 'delete'
          ? 'deleted'
          : erase === 'keep'
            ? 'kept as a number'
            : 'blank' in erase
              ? 'fields emptied'
              : 'made anonymous';
      // A table's own declaration takes precedence over those of data within it.
      if (as === undefined || !personalTables.some((one) => one.table === table && !one.as)) {
        done.set(table, word);
      }
    }
    assert.deepEqual([...documented].sort(), [...done].sort());
  });

  it('lists every kind of data with a retention time, and its default', () => {
    const rows = tablesUnder(page, 'How long it is kept').flat();
    const documented = rows.map(([kind = '', days]) => [kind.replaceAll('`', ''), Number(days)]);
    const { retention } = configSchema.parse({}).privacy;
    assert.deepEqual(documented, Object.entries(retention));
  });
});
