import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manualPath, renderManual } from '../../docs/manual/render-manual.js';
import { createDocumentExtractor } from '../../src/documents/extract-document.js';
import { packageRoot } from '../../src/platform/package-root.js';

describe('The bundled manual, rendered and ingested', () => {
  it('is the same, byte for byte, each time it is rendered', async () => {
    const [first, second] = [await renderManual(), await renderManual()];
    assert.ok(first.equals(second));
  });

  it('has every chapter in its titles, including those at the top of a page', async () => {
    const extractor = createDocumentExtractor({ workers: 2, workerMemoryMb: 512 });
    try {
      const limits = { pageTimeoutMs: 20_000, fileTimeoutMs: 60_000, sectionMinChars: 200 };
      const { sections } = await extractor.extract(
        new Uint8Array(await readFile(manualPath())),
        { ...limits, maxPages: 100, sectionMaxChars: 4000 },
        { onPages: () => undefined },
      );
      const titles = sections.map((section) => section.title).join('\n');
      // No cover, and the manual of this language above its chapters.
      const first = 'Assistant User Manual › About Assistant › What Assistant is';
      assert.equal(sections[0]?.title, first);
      for (const language of ['en', 'es', 'de']) {
        const file = join(packageRoot(), 'docs', 'manual', `manual.${language}.md`);
        const chapters = [...(await readFile(file, 'utf8')).matchAll(/^## (?:\d+\.? )?(.+)$/gm)];
        assert.ok(chapters.length > 3);
        for (const [, chapter] of chapters) assert.ok(titles.includes(chapter ?? ''), chapter);
      }
    } finally {
      await extractor.close();
    }
  });
});
