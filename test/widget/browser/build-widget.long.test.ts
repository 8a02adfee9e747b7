import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { budgets, buildWidget } from '../../../src/widget/build-widget.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('The build of a widget that is too large', () => {
  let folder: { path: string; remove: () => Promise<void> };
  before(async () => {
    folder = await makeTemporaryFolder();
    await buildWidget(folder.path);
  });
  after(() => folder.remove());

  it('fails, and reports the excess and the largest modules', async () => {
    const out = join(folder.path, 'too-large');
    await assert.rejects(
      buildWidget(out, { budget: { ...budgets, 'assistant.js': 1000 } }),
      (error: Error) => {
        assert.match(error.message, /too large: \d+ bytes gzipped, \d+ over its budget of 1000/);
        assert.match(error.message, /\n +\d+ {2}src\/widget\/browser\/\S+\.ts/);
        return true;
      },
    );
    assert.equal(existsSync(out), false);
    for (const [sum, part] of [
      ['usual', 'panel.js'],
      ['everything', 'pages.js'],
    ] as const) {
      const sentence = new RegExp(`${sum} is too large: \\d+ bytes[^]* ${part}`);
      await assert.rejects(buildWidget(out, { budget: { ...budgets, [sum]: 5000 } }), sentence);
    }
    assert.equal(existsSync(out), false);
  });
});
