import { names } from './older-database.js';
import { upgradeFrom } from './upgrade-from.js';

// The databases are made by today's migrations up to each schema, and filled with rows by its columns.
describe('A database of an earlier schema, with rows in all its tables', () => {
  for (const schema of names) {
    it(`comes up from ${schema} with all rows, and goes back`, () => upgradeFrom(schema));
  }
});
