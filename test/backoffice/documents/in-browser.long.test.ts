import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { startIngestion } from '../../../src/ingestion/upload/start-ingestion.js';
import { approveBatch } from '../../../src/ingestion/review/approve-batch.js';
import { replaceInDrafts } from '../../../src/ingestion/review/replace-in-drafts.js';
import { getReview } from '../../../src/ingestion/review/read-review.js';
import { runDueBatches } from '../../../src/ingestion/worker/run-worker.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../../src/documents/extract-document.js';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { describeInBrowser, visiting } from '../../browser/support/visiting.js';
import { rawPdf } from '../../pdf/raw-pdf.js';
import { sampleManual } from '../../support/sample-manual.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../../support/test-app.js';
import { openPage } from '../support/open-page.js';
import { pdfOfPictures } from './pdf-of-pictures.js';

/** The colour of the drawn page at a place, in parts of its size. */
const colorAt = `((x, y) => {
  const canvas = document.querySelector('.pdf-page canvas');
  const pixel = canvas.getContext('2d').getImageData(canvas.width * x, canvas.height * y, 1, 1);
  return [...pixel.data].slice(0, 3);
})`;

describeInBrowser('The review page in a browser', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let ben: TestUser;
  let extractor: DocumentExtractor;

  before(async () => {
    test = await serveTestApp({ ingestion: { section_min_chars: 0 } });
    acme = await addOrganization(test);
    ben = await addUser(test, acme, 'backoffice');
    extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
  });
  after(async () => {
    await extractor.close();
    await test.close();
  });

  const open = (page: Page, path: string) => openPage(page, `${test.url}/backoffice${path}`, ben);
  let files = 0;
  const ingest = async (chapters: number) => {
    const bytes = await sampleManual(chapters, `thing${++files}`);
    const fileName = `file-${files}.pdf`;
    const { batch } = await startIngestion(test.app, acme.operator, { fileName, bytes });
    await runDueBatches(test.app, extractor);
    const { drafts } = await getReview(test.app, acme.operator, batch.id);
    return { id: batch.id, path: `/documents/${batch.id}/review`, drafts };
  };
  const states = async (id: string) => {
    const { drafts } = await getReview(test.app, acme.operator, id);
    return drafts.map(({ state }) => state);
  };
  const announced = (page: Page, text: string | RegExp) =>
    page.locator('[data-live]', { hasText: text }).waitFor({ state: 'attached' });

  it(
    'decides drafts by keys, focuses the next one, and announces each decision',
    visiting(async ({ page }) => {
      const { id, path, drafts } = await ingest(4);
      await open(page, path);
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      assert.equal(await focused(), drafts[0]?.title);
      // A reload would lose this mark.
      await page.evaluate(() => Object.assign(window, { isSame: true }));
      await page.keyboard.press('a');
      await announced(page, 'Accepted. Draft 2 of 4, page 2.');
      assert.equal(await focused(), drafts[1]?.title);
      await page.keyboard.press('r');
      await announced(page, 'Rejected. Draft 3 of 4');
      assert.deepEqual(await states(id), ['accepted', 'rejected', 'draft', 'draft']);
      await page.keyboard.press('u');
      await announced(page, 'Taken back: it is open again. Draft 2 of 4');
      await page.keyboard.press('j');
      await announced(page, /^Draft 3 of 4/);
      await page.keyboard.press('k');
      await announced(page, /^Draft 2 of 4/);
      assert.equal(await page.evaluate('isSame'), true);
      assert.doesNotMatch(page.url(), /did=|last=/);
      await page.keyboard.press('l');
      await page.getByText('Accept 3 drafts from this one on').waitFor();
      await page.getByRole('button', { name: 'Accept 3' }).click();
      await page.getByRole('heading', { name: 'All drafts are decided.' }).waitFor();
      assert.deepEqual(await states(id), ['accepted', 'accepted', 'accepted', 'accepted']);
    }),
  );

  it(
    'opens a long changed draft at its first change, with the unchanged lines folded',
    visiting(async ({ page }) => {
      const step = (number: number) =>
        `Step ${number}: turn the valve of cellar ${number} to the left, and wait for its lamp.`;
      const steps = Array.from({ length: 30 }, (_, index) => step(index + 1));
      const send = async (lines: readonly string[]) => {
        const bytes = Buffer.from(`# Guide\n\n${lines.join('\n\n')}\n`);
        const file = { fileName: 'guide.md', bytes };
        const { batch } = await startIngestion(test.app, acme.operator, file);
        await runDueBatches(test.app, extractor);
        return batch.id;
      };
      const first = await send(steps);
      await approveBatch(test.app, acme.operator, { batchId: first, entryIds: 'all' });
      const second = await send(steps.with(19, `${step(20)} It shines red.`));
      for (const width of [1280, 400]) {
        await page.setViewportSize({ width, height: 800 });
        await open(page, `/documents/${second}/review`);
        const change = page.locator('.marked ins:visible').first();
        const { y = 800, height = 0 } = (await change.boundingBox()) ?? {};
        assert.ok(y > 0 && y + height <= 800, `seen at ${width} without scrolling: ${y}`);
        const folded = page.locator('.marked summary');
        assert.deepEqual(await folded.allTextContents(), [
          '19 unchanged lines',
          '9 unchanged lines',
        ]);
        assert.equal(await page.getByText(step(2)).first().isVisible(), false);
        await folded.first().focus();
        await page.keyboard.press('Enter');
        await page.locator('.marked .now', { hasText: step(2) }).waitFor();
      }
    }),
  );

  it(
    'shows the PDF pages of each draft beside it, with the draft’s words marked',
    visiting(async ({ page }) => {
      const bytes = await readFile('test/fixtures/pdf/linuxcnc-integrator.es.pdf');
      const { batch } = await startIngestion(test.app, acme.operator, {
        ...{ fileName: 'real.pdf', bytes },
      });
      await runDueBatches(test.app, extractor);
      const { drafts } = await getReview(test.app, acme.operator, batch.id);
      const loaded: string[] = [];
      page.on('response', (response) => {
        if (/pdf-|\/file$/.test(response.url()))
          loaded.push(`${response.status()} ${response.url()}`);
      });
      await page.setViewportSize({ width: 1440, height: 900 });
      const [first, second] = drafts.filter(({ title }) =>
        /Wire Selection and Use$|Single Conductor/.test(title),
      );
      await open(page, `/documents/${batch.id}/review?draft=${first?.id}`);
      const panel = page.getByRole('complementary', { name: 'Pages of the PDF' });
      const marked = async () => {
        const texts = await panel.locator('mark').allTextContents();
        return texts.join('').replaceAll(/[^\p{L}\p{N}]/gu, '');
      };
      const text = async () => {
        const shown = await page.locator('[data-text]').textContent();
        return (shown ?? '').replaceAll(/[^\p{L}\p{N}]/gu, '');
      };
      await panel.locator('.pdf-page[data-drawn] mark').first().waitFor();
      const [isMarked, ofDraft] = [await marked(), await text()];
      assert.ok(isMarked.length > 0.9 * ofDraft.length, `${isMarked.length} of ${ofDraft.length}`);
      assert.ok(isMarked.length < 1.1 * ofDraft.length, `${isMarked.length} of ${ofDraft.length}`);
      const numbers = () =>
        panel
          .locator('[data-number]')
          .evaluateAll((all) =>
            all.map((one) =>
              Number((one as unknown as { dataset: { number: string } }).dataset.number),
            ),
          );
      const pagesOf = ({
        pageFrom,
        pageTo,
      }: { pageFrom?: number | null; pageTo?: number | null } = {}) =>
        Array.from(
          { length: (pageTo ?? 0) - (pageFrom ?? 0) + 1 },
          (_, at) => (pageFrom ?? 0) + at,
        );
      assert.deepEqual(await numbers(), pagesOf(first));
      const opened = loaded.length;
      await page.keyboard.press('j');
      await panel.locator(`[data-number="${second?.pageTo}"] mark`).first().waitFor();
      assert.deepEqual(await numbers(), pagesOf(second));
      assert.ok((await text()).includes((await marked()).slice(0, 200)));
      const later = loaded.slice(opened).filter((one) => !one.startsWith('206'));
      assert.deepEqual(later, [], 'only ranges of the file are loaded');
      await page.keyboard.press(']');
      await panel.getByText(`Page ${Number(second?.pageFrom) + 1} of 20`).waitFor();
    }),
  );

  it(
    'runs no script of a PDF, follows none of its links, and contacts no other server',
    visiting(async ({ context, page }) => {
      const script = "/S /JavaScript /JS (document.title = 'ran'; app.alert\\('ran'\\))";
      const to = 'http://127.0.0.1:9/from-the-pdf';
      const text = 'BT /F1 11 Tf 50 700 Td (The pump is oiled every week <img src=x>.) Tj ET';
      const bytes = rawPdf({
        pages: [`${text} /Picture Do BT /Odd 11 Tf 50 600 Td (abc) Tj ET`],
        resources: '/XObject << /Picture 20 0 R >>',
        fonts: '/Odd 21 0 R',
        page: `/AA << /O << ${script} >> >> /Annots [22 0 R 23 0 R 24 0 R 25 0 R]`,
        catalog: `/OpenAction << ${script} >> /AcroForm << /Fields [23 0 R] /XFA 27 0 R >>`,
        objects: {
          20: [
            `/Subtype /Image /Width 9 /Height 9 /ColorSpace /DeviceGray /BitsPerComponent 8 /F << /FS /URL /F (${to}) >>`,
            '',
          ],
          21: `<< /Type /Font /Subtype /Type1 /BaseFont /Odd /FontMatrix [1 0 0 1 0 (0\\); document.title = 'ran'//)] >>`,
          22: `<< /Subtype /Link /Rect [0 0 600 800] /A << /S /URI /URI (javascript:document.title='ran') >> >>`,
          23: `<< /Subtype /Widget /FT /Tx /T (a) /V (<img src=x>) /Rect [0 0 600 800] /A << ${script} >> >>`,
          24: `<< /Subtype /Link /Rect [0 0 600 800] /A << /S /URI /URI (${to}) >> >>`,
          25: '<< /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /F (a.html) /EF << /F 26 0 R >> >> >>',
          26: ['/Type /EmbeddedFile', '<script>alert(1)</script>'],
          27: ['', `<template><image href="${to}"/></template>`],
        },
      });
      const { batch } = await startIngestion(test.app, acme.operator, {
        ...{ fileName: '"><img src=x>.pdf', bytes },
      });
      await runDueBatches(test.app, extractor);
      const elsewhere: string[] = [];
      context.on('request', (request) => {
        if (!request.url().startsWith(test.url)) elsewhere.push(request.url());
      });
      page.on('dialog', () => elsewhere.push('a dialog'));
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(page, `/documents/${batch.id}/review`);
      const drawn = page.locator('.pdf-page[data-drawn]');
      await drawn.waitFor();
      const title = await page.title();
      await drawn.click();
      assert.equal(await page.locator('[data-pages] :is(a, input, img, iframe)').count(), 0);
      assert.deepEqual(elsewhere, []);
      assert.equal(await page.title(), title);
      assert.equal(context.pages().length, 1);
    }),
  );

  it(
    'draws pictures in JPEG 2000, in JBIG2, and with a colour profile',
    visiting(async ({ page }) => {
      const { bytes, places } = await pdfOfPictures();
      const { batch } = await startIngestion(test.app, acme.operator, {
        ...{ fileName: 'pictures.pdf', bytes },
      });
      await runDueBatches(test.app, extractor);
      await page.setViewportSize({ width: 1440, height: 900 });
      await open(page, `/documents/${batch.id}/review`);
      await page.locator('.pdf-page[data-drawn]').waitFor();
      for (const { name, x, y, color } of places) {
        const shown = await page.evaluate<number[]>(`${colorAt}(${x / 600}, ${1 - y / 800})`);
        for (const [at, part] of color.entries()) {
          const off = Math.abs(part - (shown[at] ?? 0));
          assert.ok(off < 24, `${name}: ${shown.join(' ')} for ${color.join(' ')}`);
        }
      }
    }),
  );

  it(
    'breaks words that are wider than a phone, such as the names of files and addresses',
    visiting(async ({ page }) => {
      const word = 'https://docs.example.com/' + 'a_name_without_an_end'.repeat(9);
      const read = async (text: string, ending: string) => {
        const bytes = ending === 'pdf' ? await sampleManual(2, text) : Buffer.from(text);
        const fileName = `${'long_name'.repeat(20)}.${ending}`;
        const { batch } = await startIngestion(test.app, acme.operator, { fileName, bytes });
        await runDueBatches(test.app, extractor);
        return getReview(test.app, acme.operator, batch.id);
      };
      const content = `# ${word}\n\n## ${word}\n\n${word}\n\n| ${word} | A |\n|---|---|\n| 1 | **${word}** |`;
      const { drafts: old } = await read(`${content}\n\nOld.`, 'md');
      const name = String(old[0]?.id);
      await updateEntry(test.app, acme.operator, name, { status: 'published' });
      const replacing = await read(`${content}\n\nNew.`, 'md');
      const pdf = await read('thing', 'pdf');
      for (const { batch, drafts } of [replacing, pdf]) {
        const [draft] = drafts;
        await updateEntry(test.app, acme.operator, String(draft?.id), { title: word });
        const exchange = { find: 'example', replacement: 'test', wholeLines: false };
        await replaceInDrafts(test.app, acme.operator, { batchId: batch.id, ...exchange });
        const path = `/documents/${batch.id}`;
        await open(page, path);
        const asks = ['edit', 'split', 'rest'].map((ask) => `${path}/review?ask=${ask}`);
        const replaced = ['find=docs', 'find=docs&replacement=x', 'find=none'];
        for (const address of [
          ...['/documents', path, `${path}/review`, ...asks, `${path}/review?draft=end`],
          ...replaced.map((query) => `${path}/replace?${query}`),
          ...['/knowledge', `/knowledge/${draft?.id}`, `/knowledge/${name}`],
        ]) {
          await page.goto(`${test.url}/backoffice${address}`);
          for (const width of [400, 320, 1000]) {
            await page.setViewportSize({ width, height: 800 });
            const over = 'document.documentElement.scrollWidth - innerWidth';
            assert.equal(await page.evaluate(over), 0, `${address} at ${width}`);
          }
        }
        await page.goto(`${test.url}/backoffice${path}/replace?find=docs`);
        await page.setViewportSize({ width: 320, height: 800 });
        await page.getByRole('button', { name: 'Replace in the ticked drafts' }).click();
        await page.getByText('Drafts changed').waitFor();
        const over = 'document.documentElement.scrollWidth - innerWidth';
        assert.equal(await page.evaluate(over), 0, 'the outcome');
      }
    }),
  );

  it(
    'ignores keys that are held, have a modifier, belong to a field, or are turned off',
    visiting(async ({ page }) => {
      const { id, path, drafts } = await ingest(2);
      await open(page, path);
      for (const more of ['repeat', 'ctrlKey', 'isComposing']) {
        await page.evaluate((name) => {
          const init = { key: 'a', bubbles: true, [name]: true };
          document.body.dispatchEvent(new KeyboardEvent('keydown', init));
        }, more);
      }
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('a');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'hidden' });
      await page.keyboard.press('e');
      await page.getByLabel('Title').fill('A title');
      await page.getByLabel('Title').press('a');
      assert.equal(await page.getByLabel('Title').inputValue(), 'A titlea');
      await open(page, `${path}?draft=${drafts[0]?.id}`);
      await page.keyboard.press('?');
      await page.getByRole('button', { name: 'Turn single keys off' }).click();
      await page.locator('.review[data-shortcuts="off"]').waitFor();
      for (const key of ['?', 'a']) await page.keyboard.press(key);
      await page.getByRole('button', { name: 'Keys' }).click();
      await page.getByRole('button', { name: 'Turn single keys on' }).click();
      await page.locator('.review[data-shortcuts="on"]').waitFor();
      assert.deepEqual(await states(id), ['draft', 'draft']);
      await page.keyboard.press('a');
      await page.getByText('Accepted.').first().waitFor();
    }),
  );

  it(
    'keeps typed text across a reload until it is saved',
    visiting(async ({ page }) => {
      const { path, drafts } = await ingest(1);
      await open(page, `${path}?draft=${drafts[0]?.id}&ask=edit`);
      const text = page.getByRole('textbox', { name: 'Text' });
      await text.fill('Half of a sent');
      await page.reload();
      assert.equal(await text.inputValue(), 'Half of a sent');
      await page.getByText('Your text from before is here again').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await announced(page, 'Saved.');
      await page.keyboard.press('e');
      assert.equal(await text.inputValue(), 'Half of a sent');
      await text.fill('Dropped.');
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.locator('[data-text]', { hasText: 'Half of a sent' }).waitFor();
      await page.keyboard.press('e');
      assert.equal(await text.inputValue(), 'Half of a sent');
    }),
  );

  it(
    'shows whether chosen files are new, and uploads them one after the other',
    visiting(async ({ page, expectProblem }) => {
      expectProblem(/status of 415/);
      await open(page, '/documents');
      await page.getByText('Upload documents').click();
      const fileOf = async (name: string, subject: string) => {
        const buffer = Buffer.from(await sampleManual(1, subject));
        return { name, mimeType: 'application/pdf', buffer };
      };
      const known = await fileOf('known.pdf', 'known');
      const bytes = known.buffer;
      await startIngestion(test.app, acme.operator, { fileName: 'known.pdf', bytes });
      await runDueBatches(test.app, extractor);
      const files = [
        ...[known, await fileOf('new.pdf', 'new')],
        { name: 'bad.pdf', mimeType: 'application/pdf', buffer: Buffer.from('bad') },
      ];
      await page.locator('input[type=file]').setInputFiles(files);
      const line = (name: string) => page.getByRole('listitem').filter({ hasText: name });
      await line('known.pdf').filter({ hasText: 'Read before, unchanged' }).waitFor();
      await line('new.pdf').filter({ hasText: 'New document.' }).waitFor();
      await page.getByRole('button', { name: 'Upload' }).click();
      await line('known.pdf').filter({ hasText: 'uploaded before' }).waitFor();
      await line('new.pdf').filter({ hasText: 'Uploaded.' }).waitFor();
      await line('bad.pdf').filter({ hasText: 'Not uploaded' }).waitFor();
      await line('new.pdf').getByRole('link').click();
      await page.getByRole('heading', { name: 'new.pdf' }).waitFor();
    }),
  );

  it(
    'follows the progress of a batch, and shows its drafts at the end',
    visiting(async ({ page }) => {
      const bytes = await sampleManual(2, 'live');
      const { batch } = await startIngestion(test.app, acme.operator, {
        ...{ fileName: 'live.pdf', bytes },
      });
      await open(page, `/documents/${batch.id}`);
      await page.getByText('Waiting for its turn').waitFor();
      await page.evaluate(() => Object.assign(window, { isSame: true }));
      await runDueBatches(test.app, extractor);
      await page.getByRole('link', { name: 'Review 2 drafts' }).waitFor();
      await page
        .getByRole('status')
        .filter({ hasText: 'has been read' })
        .waitFor({ state: 'attached' });
      assert.equal(await page.evaluate('isSame'), true);
    }),
  );

  it(
    'works without JavaScript, from the upload to published entries',
    visiting(
      async ({ page }) => {
        await open(page, '/documents');
        await page.getByText('Upload documents').click();
        const buffer = Buffer.from(await sampleManual(2, 'plain'));
        const file = { name: 'plain.pdf', mimeType: 'application/pdf', buffer };
        await page.getByLabel('File', { exact: true }).setInputFiles(file);
        await page.getByLabel('Domain').fill(acme.domain);
        await page.getByRole('button', { name: 'Upload' }).click();
        await page.getByText('Uploaded. The document is being read.').waitFor();
        await runDueBatches(test.app, extractor);
        await page.getByRole('link', { name: 'Look again' }).click();
        await page.getByRole('link', { name: 'Review 2 drafts' }).click();
        assert.equal(await page.getByRole('button', { name: 'Keys' }).isVisible(), false);
        await page.getByRole('button', { name: 'Accept', exact: true }).click();
        await page.getByText('Draft 2 of 2').waitFor();
        await page.getByRole('button', { name: 'Reject' }).click();
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByText('Taken back: it is open again.').waitFor();
        await page.getByRole('button', { name: 'Accept', exact: true }).click();
        await page.getByRole('heading', { name: 'All drafts are decided.' }).waitFor();
      },
      { javaScriptEnabled: false },
    ),
  );
});
