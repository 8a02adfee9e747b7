import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { manualPath, renderManual } from '../../docs/manual/render-manual.js';

async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const { PDFParse } = await import('pdf-parse');
  // The parser detaches its buffer, so it gets a copy.
  const parser = new PDFParse({ data: new Uint8Array(pdf) });
  try {
    const { pages } = await parser.getText({ pageJoiner: '' });
    return pages.map((page) => page.text);
  } finally {
    await parser.destroy();
  }
}

describe('The bundled manual', () => {
  it('has the text of its Markdown sources, page by page', async () => {
    const carried = await pagesOf(await readFile(manualPath()));
    const rendered = await pagesOf(await renderManual());
    const hint = 'The manual has changed: render it again with npm run docs:manual.';
    for (const [index, text] of rendered.entries()) {
      assert.equal(carried[index], text, `page ${index + 1}: ${hint}`);
    }
    assert.equal(carried.length, rendered.length, hint);
  });

  it('has at least 15 pages and no empty one', async () => {
    const pages = await pagesOf(await readFile(manualPath()));
    assert.ok(pages.length >= 15, `${pages.length} pages`);
    assert.deepEqual(
      pages.filter((text) => text.trim().length < 20),
      [],
    );
  });

  it('contains whole sentences in its three languages', async () => {
    const text = (await pagesOf(await readFile(manualPath()))).join(' ').replaceAll(/\s+/g, ' ');
    for (const sentence of [
      'An access token is valid for 15 minutes by default, and the setting auth.access_token_minutes changes this time.',
      'Un lote se intenta procesar como máximo tres veces, y después queda con el estado failed.',
      'Einträge der Stufe internal sehen nur Personen mit der Rolle backoffice oder admin.',
    ]) {
      assert.ok(text.includes(sentence), sentence);
    }
  });
});
