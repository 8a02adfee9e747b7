import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manualPath, renderManual } from '../../docs/manual/render-manual.js';
import { createPdfExtractor } from '../../src/pdf/threads/extract-pdf.js';
import { packageRoot } from '../../src/platform/package-root.js';

async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const { PDFParse } = await import('pdf-parse');
  // The parser takes its buffer away: it gets a copy.
  const parser = new PDFParse({ data: new Uint8Array(pdf) });
  try {
    const { pages } = await parser.getText({ pageJoiner: '' });
    return pages.map((page) => page.text);
  } finally {
    await parser.destroy();
  }
}

describe('the carried manual', () => {
  it('has the text of its Markdown sources, page by page', async () => {
    const carried = await pagesOf(await readFile(manualPath()));
    const rendered = await pagesOf(await renderManual());
    const hint = 'The manual has changed: render it again with npm run docs:manual.';
    for (const [index, text] of rendered.entries()) {
      assert.equal(carried[index], text, `page ${index + 1}: ${hint}`);
    }
    assert.equal(carried.length, rendered.length, hint);
  });

  it('is long enough to be a manual, and no page of it is empty', async () => {
    const pages = await pagesOf(await readFile(manualPath()));
    assert.ok(pages.length >= 15, `${pages.length} pages`);
    assert.deepEqual(
      pages.filter((text) => text.trim().length < 20),
      [],
    );
  });

  it('comes out the same, byte for byte, each time it is rendered', async () => {
    const [first, second] = [await renderManual(), await renderManual()];
    assert.ok(first.equals(second));
  });

  it('keeps the sentences of its three languages whole', async () => {
    const text = (await pagesOf(await readFile(manualPath()))).join(' ').replaceAll(/\s+/g, ' ');
    for (const sentence of [
      'An access token is valid for 15 minutes by default, and the setting auth.access_token_minutes changes this time.',
      'Un lote se intenta procesar como máximo tres veces, y después queda con el estado failed.',
      'Einträge der Stufe internal sehen nur Personen mit der Rolle backoffice oder admin.',
    ]) {
      assert.ok(text.includes(sentence), sentence);
    }
  });

  it('is ingested with every chapter in its titles, those that open a page too', async () => {
    const extractor = createPdfExtractor({ workers: 2, workerMemoryMb: 512 });
    try {
      const limits = { pageTimeoutMs: 20_000, fileTimeoutMs: 60_000, sectionMinChars: 200 };
      const { sections } = await extractor.extract(
        new Uint8Array(await readFile(manualPath())),
        { ...limits, maxPages: 100, sectionMaxChars: 4000 },
        { onPages: () => undefined },
      );
      const titles = sections.map((section) => section.title).join('\n');
      assert.equal(sections[0]?.title, 'About Assistant › What Assistant is', 'no cover');
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
