import assert from 'node:assert/strict';
import { findDraft } from '../../../src/backoffice/browser/find-draft.js';

describe('The words of a draft', () => {
  const found = (shown: string, ...blocks: string[]) =>
    findDraft(shown, blocks).map(({ from, to }) => shown.slice(from, to));

  it('are found across line ends, hyphens and list numbers', () => {
    const shown =
      'Other text. 1. Press the but- ton on the left side. 2. Wait until the lamp is green. More.';
    assert.deepEqual(
      found(shown, 'Press the button on the left side.', 'Wait until the lamp is green.'),
      ['Press the but- ton on the left side. 2. Wait until the lamp is green.'],
    );
  });

  it('are found on both sides of a footer, without the footer', () => {
    const shown =
      'The motor must be greased each month with the oil that came Manual of 2024, page 7 of 20 with it. Then close the lid of the box firmly.';
    const draft =
      'The motor must be greased each month with the oil that came with it. Then close the lid of the box firmly.';
    const [first, ...rest] = found(shown, draft);
    assert.equal(first, 'The motor must be greased each month');
    assert.equal(rest.at(-1), 'Then close the lid of the box firmly.');
    assert.doesNotMatch([first, ...rest].join(), /Manual/);
  });

  it('are found in rows and headings that are too short to be unique', () => {
    const shown = 'Size Setup Weight 5 kg Height 20 cm Setup Other Weight 7 kg';
    assert.deepEqual(found(shown, 'Setup', 'Weight 5 kg', 'Height 20 cm'), [
      'Setup Weight 5 kg Height 20 cm',
    ]);
  });

  it('are not found if a person has rewritten the draft', () => {
    assert.deepEqual(found('What the page says is this.', 'Written anew, by a person.'), []);
    assert.deepEqual(found('', 'Written anew, by a person.'), []);
    assert.deepEqual(found('What the page says.'), []);
  });
});
