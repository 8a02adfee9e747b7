import assert from 'node:assert/strict';
import {
  createPdfExtractor,
  type ExtractOptions,
  type PdfExtractor,
} from '../../src/documents/threads/extract-pdf.js';
import { AppError, type ErrorCode } from '../../src/platform/errors.js';
import { onePage } from './hostile/hostile-files.js';
import { rawPdf } from './raw-pdf.js';
import { buildPdf, readFixture, writeLines } from './build-pdf.js';
import { manual, options } from './router-manual.js';

describe('Extracting a PDF', () => {
  let extractor: PdfExtractor;
  before(() => {
    extractor = createPdfExtractor({ workers: 2, workerMemoryMb: 512 });
  });
  after(() => extractor.close());

  const extract = (
    bytes: Uint8Array,
    overrides: Partial<ExtractOptions> = {},
    signal?: AbortSignal,
  ) =>
    extractor.extract(
      bytes,
      { ...options, ...overrides },
      { onPages: () => undefined, ...(signal ? { signal } : {}) },
    );

  async function refuses(
    bytes: Uint8Array,
    code: ErrorCode,
    overrides: Partial<ExtractOptions> = {},
  ): Promise<AppError> {
    const error = await extract(bytes, overrides).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, code, error.message);
    return error;
  }

  it('returns titled sections with their pages, without headers and page numbers', async () => {
    const { pageCount, pagesWithoutText, sections } = await extract(await manual(20));
    assert.equal(pageCount, 20);
    assert.deepEqual(pagesWithoutText, []);
    assert.equal(sections.length, 20);
    assert.deepEqual(sections[2], {
      title: 'Topic C',
      content: '### Topic C\n\nAdvice number 3 fills a line of this page. It is short.',
      pageFrom: 3,
      pageTo: 3,
      language: 'en',
    });
  });

  it('reports how many pages are done', async () => {
    const seen: [number, number][] = [];
    await extractor.extract(await manual(15), options, {
      onPages: (done, total) => seen.push([done, total]),
    });
    assert.equal(seen.length, 15);
    assert.deepEqual(seen.at(-1), [15, 15]);
  });

  it('reads two columns one after the other, and joins a word hyphenated between them', async () => {
    const bytes = await buildPdf((document) => {
      document.addPage().fontSize(10);
      const left = Array.from(
        { length: 11 },
        (_, row) => `Left column sentence ${row} about installation.`,
      );
      writeLines(document, [...left, 'The last words on the left are instal-'], 50, 80);
      const right = Array.from(
        { length: 11 },
        (_, row) => `Right column sentence ${row} about operation.`,
      );
      writeLines(document, ['lation and the end of the sentence.', ...right], 320, 80);
    });
    const text = (await extract(bytes)).sections.map((section) => section.content).join(' ');
    assert.match(text, /left are installation and the end/);
    assert.ok(text.indexOf('Left column sentence 10') < text.indexOf('Right column sentence 0'));
  });

  it('uses bookmarks as section titles', async () => {
    const bytes = await buildPdf((document) => {
      document.addPage().fontSize(11);
      document.outline.addItem('Setup').addItem('Cables');
      writeLines(document, ['Setup', 'Read this first, and then begin with the work.'], 60, 80);
      writeLines(document, ['Cables', 'Connect the long one to the socket on the back.'], 60, 160);
    });
    assert.deepEqual(
      (await extract(bytes)).sections.map((section) => section.title),
      ['Setup', 'Setup › Cables'],
    );
  });

  it('removes page numbers that are high on a page with little text', async () => {
    const { sections } = await extract(await readFixture('multicolumn.pdf'));
    const all = sections.map((section) => section.content).join('\n');
    assert.match(all, /Lorem ipsum/);
    assert.doesNotMatch(all, /^\d$/m);
  });

  it('reads a real manual with its bookmarks, page ranges and language, without page numbers', async () => {
    const { pageCount, sections } = await extract(await readFixture('linuxcnc-integrator.es.pdf'), {
      sectionMinChars: 200,
    });
    const all = sections.map((section) => section.content).join('\n');
    assert.equal(pageCount, 20);
    assert.ok(
      sections.some(
        (section) => section.title === 'Stepper Information › Selecting a Stepper Power Supply',
      ),
    );
    assert.doesNotMatch(all, /\d \/ 18/);
    assert.match(
      all,
      /Elastomeric motor mounts, shaft couplings or bearing mounts can be employed\./,
    );
    assert.ok(
      sections.every(
        (section) =>
          section.title !== '' && section.content !== '' && section.pageFrom <= section.pageTo,
      ),
    );
    assert.equal(sections.filter((section) => section.language === 'en').length, sections.length);
  });

  it('reads LaTeX files with two columns or bookmarks', async () => {
    const columns = (await extract(await readFixture('multicolumn.pdf'))).sections
      .map((section) => section.content)
      .join('\n');
    assert.match(columns, /Donec nonummy pellentesque ante\. Phasellus adipiscing/);
    const outlined = (await extract(await readFixture('latex-outline.pdf'))).sections;
    assert.deepEqual(
      outlined.slice(0, 3).map((section) => section.title),
      ['Foo', 'Bar', 'Baz'],
    );
  });

  it('names the pages without text', async () => {
    const bytes = await buildPdf((document) => {
      document.addPage().text('Some words stand here.', 60, 80);
      document.addPage().rect(50, 50, 100, 100).fill();
    });
    assert.deepEqual((await extract(bytes)).pagesWithoutText, [2]);
  });

  it('refuses a file that is not a PDF', async () => {
    assert.match(
      (await refuses(Buffer.from('<!DOCTYPE html><title>Sign in</title>'), 'not_a_pdf')).message,
      /web page/,
    );
    await refuses(new Uint8Array(), 'not_a_pdf');
    await refuses(Buffer.from('PK\u0003\u0004 a word document'), 'not_a_pdf');
  });

  it('refuses a PDF that needs a password to open, and reads one with only an owner password', async () => {
    const page = (document: PDFKit.PDFDocument) =>
      void document.addPage().text('Locked words.', 60, 80);
    await refuses(await buildPdf(page, { userPassword: 'u', ownerPassword: 'o' }), 'encrypted');
    await refuses(await readFixture('password.pdf'), 'encrypted');
    const printable = await buildPdf(page, {
      ownerPassword: 'o',
      permissions: { printing: 'lowResolution' },
    });
    assert.match((await extract(printable)).sections[0]?.content ?? '', /Locked words/);
  });

  it('refuses scanned images and files without pages', async () => {
    assert.match(
      (await refuses(await readFixture('images-only.pdf'), 'no_extractable_text')).message,
      /OCR/,
    );
    await refuses(await readFixture('zero-pages.pdf'), 'no_extractable_text');
  });

  it('refuses a truncated or damaged file', async () => {
    const whole = await readFixture('linuxcnc-integrator.es.pdf');
    await refuses(whole.slice(0, Math.floor(whole.length * 0.4)), 'damaged');
    await refuses(Buffer.from('%PDF-1.7\ngarbage\nstartxref\n0\n%%EOF\n'), 'damaged');
  });

  it('keeps its threads, which are fast by then, when a file can not be read', async () => {
    await extract(await manual(30));
    let started = 0;
    const count = () => void started++;
    process.on('worker', count);
    try {
      const half = (await manual(3)).subarray(0, 500);
      // Large enough for both threads to open it.
      await refuses(Buffer.concat([half, Buffer.alloc(200_000, ' ')]), 'damaged');
      await extract(await manual(30));
      assert.equal(started, 0);
    } finally {
      process.off('worker', count);
    }
  });

  it('refuses a file with more pages than allowed', async () => {
    assert.match(
      (await refuses(await manual(4), 'too_many_pages', { maxPages: 3 })).message,
      /4 pages, and 3/,
    );
  });

  it('refuses a page that hides more words than a call has room for, with the reason', async () => {
    const words = Buffer.alloc(22 * 600_000, 'BT /F 1 Tf (ab) Tj ET ');
    const file = onePage({ contents: { dict: '', bytes: words } });
    const { message } = await refuses(file, 'no_extractable_text', {});
    assert.match(message, /^All text of the PDF is hidden from its readers \(tiny\)/);
  });

  it('ends the reading of a file after a time limit, and reads the next file', async () => {
    const slow = await readFixture('linuxcnc-integrator.es.pdf');
    await refuses(slow, 'timeout', { fileTimeoutMs: 3 });
    await refuses(slow, 'timeout', { pageTimeoutMs: 1 });
    assert.equal((await extract(await manual(2))).pageCount, 2);
  });

  it('stops on an abort signal, with the reason of the signal', async () => {
    const bytes = await manual(26);
    const reason = new Error('no longer wanted');
    await assert.rejects(extract(bytes, {}, AbortSignal.abort(reason)), reason);
    const control = new AbortController();
    const running = extractor.extract(bytes, options, {
      onPages: () => control.abort(reason),
      signal: control.signal,
    });
    await assert.rejects(running, reason);
    assert.equal((await extract(bytes)).pageCount, 26);
  });

  it('reads several files at once', async () => {
    const files = await Promise.all([2, 3, 5].map(manual));
    assert.deepEqual(
      (await Promise.all(files.map((file) => extract(file)))).map((pdf) => pdf.pageCount),
      [2, 3, 5],
    );
  });
});

describe('A PDF extractor', () => {
  it('ends running work and refuses new files once it is closed', async () => {
    const extractor = createPdfExtractor({ workers: 1, workerMemoryMb: 256 });
    const bytes = await manual(3);
    const running = extractor.extract(bytes, options, { onPages: () => undefined });
    const refused = assert.rejects(running, { code: 'shutting_down' });
    await extractor.close();
    await refused;
    await assert.rejects(extractor.extract(bytes, options, { onPages: () => undefined }), {
      code: 'shutting_down',
    });
  });

  it('refuses a file whose pages together contain too much text', async () => {
    const extractor = createPdfExtractor({ workers: 1, workerMemoryMb: 4 });
    const words = Array.from(
      { length: 400 },
      (_, at) => `1 0 0 1 50 ${at} Tm (${`word${at} `.repeat(12)}) Tj`,
    );
    const long = rawPdf({
      pages: Array.from({ length: 40 }, () => `BT /F1 8 Tf ${words.join(' ')} ET`),
    });
    try {
      await assert.rejects(extractor.extract(long, options, { onPages: () => undefined }), {
        code: 'out_of_memory',
        message: /more text than 1 MB/,
      });
    } finally {
      await extractor.close();
    }
  });
});
