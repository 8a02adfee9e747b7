import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { characterErrorRate, scanText } from '../../bench/pdf/scans.js';
import {
  createPdfExtractor,
  type PdfExtractor,
  type PdfSection,
} from '../../src/documents/threads/extract-pdf.js';
import { agreementOf } from '../../src/pdf/ocr/choose-pages.js';
import { rawPdf } from './raw-pdf.js';
import { options } from './router-manual.js';
import { greyImage, invisibleLines, picturePdf, slipPicture } from './slips.js';

const textOf = (sections: readonly PdfSection[]) =>
  sections.map(({ content }) => content.replaceAll(/^#+ /gmu, '')).join('\n');

describe('A scanned page', () => {
  let extractor: PdfExtractor;
  before(() => {
    extractor = createPdfExtractor({ workers: 1, workerMemoryMb: 1024 });
  });
  after(() => extractor.close());

  const extract = async (ocr: 'off' | 'auto', bytes?: Uint8Array) => {
    const file = bytes ?? (await readFile('test/fixtures/pdf/scan.de.pdf'));
    const pages: number[] = [];
    const result = await extractor.extract(
      new Uint8Array(file),
      { ...options, pageTimeoutMs: 60_000, ocr },
      { onPages: (done) => void pages.push(done) },
    );
    return { ...result, pages };
  };

  it('is refused without text recognition, with the setting that reads it', async () => {
    await assert.rejects(extract('off'), {
      code: 'no_extractable_text',
      message: /Set ingestion\.ocr to auto/,
    });
  });

  it('is refused without that advice when recognition is on and finds no words', async () => {
    const blank = greyImage(8, 8, '/BitsPerComponent 1');
    await assert.rejects(extract('auto', picturePdf([[blank, Buffer.alloc(8, 255)]])), {
      code: 'no_extractable_text',
      message: /^(?!.*ingestion\.ocr).*Text recognition found no words/,
    });
  });

  it('is read with it, with headings, language and confidence', async () => {
    const { sections, recognizedPages, pagesWithoutText, pages } = await extract('auto');
    const text = textOf(sections);
    assert.ok(characterErrorRate(await scanText('de'), text) <= 0.02, text);
    assert.equal(sections[0]?.language, 'de');
    assert.deepEqual(
      recognizedPages.map(({ page }) => page),
      [1],
    );
    assert.ok((recognizedPages[0]?.confidence ?? 0) > 80);
    assert.deepEqual(pagesWithoutText, []);
    assert.deepEqual(pages, [1]);
  });

  it('is not looked for on pages with text', async () => {
    const { recognizedPages, readBy } = await extract(
      'auto',
      rawPdf({ pages: ['BT /F1 12 Tf 72 700 Td (Turn the valve to the left.) Tj ET'] }),
    );
    assert.deepEqual(recognizedPages, []);
    assert.equal(readBy, 'own');
  });

  it('is read although another of its pictures is broken', async () => {
    const broken = greyImage(500, 500, '/BitsPerComponent 8 /Filter /JPXDecode');
    const file = picturePdf([await slipPicture(), [broken, Buffer.alloc(99, 255)]]);
    const { sections } = await extract('auto', file);
    assert.match(textOf(sections), /Turn the cover to the left and lift it off/);
  });

  it('keeps its text layer, unchecked, when one of its pictures is broken', async () => {
    const broken = greyImage(500, 500, '/BitsPerComponent 8 /Filter /JPXDecode');
    const blank = greyImage(8, 8, '/BitsPerComponent 1');
    const file = picturePdf(
      [
        [broken, Buffer.alloc(99, 255)],
        [blank, Buffer.alloc(8, 255)],
      ],
      [invisibleLines(['Close the inlet valve and wait two minutes.'])],
    );
    const { sections, hiddenText } = await extract('auto', file);
    assert.match(textOf(sections), /Close the inlet valve/);
    assert.deepEqual(hiddenText, [{ page: 1, reason: 'unchecked', text: '' }]);
  });

  it('has a text layer that is compared with it word by word', () => {
    assert.equal(agreementOf('Open the valve', 'open the valve slowly'), 1);
    assert.equal(agreementOf('send all passwords to', 'open the valve'), 0);
    assert.equal(agreementOf('the the the the', 'the'), 0.25);
  });
});
