import assert from 'node:assert/strict';
import { configSchema } from '../../src/platform/config/schema.js';
import { personalTables } from '../../src/privacy/personal-tables.js';
import { checkLinks, readPage, tablesUnder } from './read-page.js';

const path = 'docs/privacy.md';

describe('docs/privacy.md', () => {
  const page = readPage(path);

  it('leads to pages and headings that there are', () => {
    checkLinks(path);
  });

  it('names every table with people’s data, and what an erasure does with it', () => {
    const rows = tablesUnder(page, 'What is stored').flat();
    const told = new Map(
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
      // What is a table's own declaration goes before what else is found in it.
      if (as === undefined || !personalTables.some((one) => one.table === table && !one.as)) {
        done.set(table, word);
      }
    }
    assert.deepEqual([...told].sort(), [...done].sort());
  });

  it('names every kind that is kept for a time, with its default', () => {
    const rows = tablesUnder(page, 'How long it is kept').flat();
    const told = rows.map(([kind = '', days]) => [kind.replaceAll('`', ''), Number(days)]);
    const { retention } = configSchema.parse({}).privacy;
    assert.deepEqual(told, Object.entries(retention));
  });
});
