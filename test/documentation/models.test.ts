import assert from 'node:assert/strict';
import { recommendedModels } from '../../src/operations/suggest-models.js';
import { checkLinks, readPage, tablesUnder } from './read-page.js';

describe('docs/models.md', () => {
  const path = 'docs/models.md';

  it('recommends the program’s models, with the same figures', () => {
    const [rows] = tablesUnder(readPage(path), 'What is recommended');
    assert.deepEqual(
      rows,
      recommendedModels.map(({ name, use, sizeGb, memoryGb, cores, languages }) => [
        `\`${name}\``,
        use,
        `${sizeGb} GB`,
        `${memoryGb} GB`,
        cores === null ? 'slow' : `${cores} cores`,
        languages,
      ]),
    );
  });

  it('states that none of them was measured', () => {
    assert.match(readPage(path), /None of these models was measured/);
  });

  it('links only to existing pages and headings', () => checkLinks(path));
});
