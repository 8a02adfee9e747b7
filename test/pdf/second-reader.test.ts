import assert from 'node:assert/strict';
import { createPdfExtractor, type PdfExtractor } from '../../src/documents/threads/extract-pdf.js';
import { AppError } from '../../src/platform/errors.js';
import { rawPdf } from './raw-pdf.js';
import { options } from './router-manual.js';

/** A page whose content is written as hexadecimal digits of hexadecimal digits, more often than our reader follows. */
const times = 10;
function wrapped(text: string): [string, string] {
  let data = `BT /F1 12 Tf 72 700 Td (${text}) Tj ET`;
  for (let time = 0; time < times; time++) data = `${Buffer.from(data, 'latin1').toString('hex')}>`;
  return [`/Filter [${'/ASCIIHexDecode '.repeat(times)}]`, data];
}

describe('A PDF that the reader does not understand', () => {
  let extractor: PdfExtractor;
  before(() => {
    extractor = createPdfExtractor({ workers: 2, workerMemoryMb: 512 });
  });
  after(() => extractor.close());

  const extract = (bytes: Uint8Array) =>
    extractor.extract(bytes, options, { onPages: () => undefined });

  it('keeps its structure if one page of many is not understood, which is then named', async () => {
    const page = 'BT /F1 12 Tf 72 700 Td (Turn the valve to the left.) Tj ET';
    const bytes = rawPdf({
      pages: Array.from({ length: 12 }, () => page),
      objects: { 103: wrapped('Wait until the lamp is green.') },
    });
    const { readBy, pagesWithoutText, hiddenText } = await extract(bytes);
    assert.equal(readBy, 'own');
    assert.deepEqual(pagesWithoutText, [2]);
    assert.deepEqual(hiddenText, [{ page: 2, reason: 'unchecked', text: '' }]);
  });

  it('is read as a whole by pdf-parse if more than a tenth of its pages is not understood', async () => {
    const bytes = rawPdf({
      pages: ['BT /F1 12 Tf 72 700 Td (Turn the valve to the left.) Tj ET', ''],
      // The content of the second page.
      objects: { 103: wrapped('Wait until the lamp is green.') },
    });
    const { readBy, sections, hiddenText, pageCount } = await extract(bytes);
    assert.equal(readBy, 'pdf-parse');
    assert.equal(pageCount, 2);
    const content = sections.map((section) => section.content).join('\n');
    assert.match(content, /Turn the valve to the left\./);
    assert.match(content, /Wait until the lamp is green\./);
    assert.deepEqual(
      hiddenText.map(({ page, reason }) => [page, reason]),
      [
        [1, 'unchecked'],
        [2, 'unchecked'],
      ],
    );
  });

  it('is refused as damaged if pdf-parse cannot read it either', async () => {
    const bytes = rawPdf({ pages: ['BT ET'] });
    const text = Buffer.from(bytes).toString('latin1').replace('/Type /Catalog', '/Type /Nothing');
    const error = await extract(Buffer.from(text.replaceAll('/Pages', '/Sheets'), 'latin1')).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof AppError);
    assert.equal(error.code, 'damaged');
  });

  it('leaves the next file to the product’s own reader', async () => {
    const { readBy } = await extract(
      rawPdf({ pages: ['BT /F1 12 Tf 72 700 Td (Turn the valve to the left.) Tj ET'] }),
    );
    assert.equal(readBy, 'own');
  });
});
