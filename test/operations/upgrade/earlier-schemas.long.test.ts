import { names } from './older-database.js';
import { upgradeFrom } from './upgrade-from.js';

// Today's migrations create each schema. Its rows are generated from its columns.
describe('A database of an earlier schema, with rows in all its tables', () => {
  for (const schema of names) {
    it(`keeps all rows in an upgrade from ${schema}, and can be restored`, () =>
      upgradeFrom(schema));
  }
});
