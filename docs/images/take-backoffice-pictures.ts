import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { fillBackoffice } from '../../bench/fill-backoffice.js';
import { startIngestion } from '../../src/ingestion/upload/start-ingestion.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { createDocumentExtractor } from '../../src/documents/extract-document.js';
import { openPageClient } from '../../test/backoffice/support/page-client.js';
import { addOrganization, addUser, serveTestApp } from '../../test/support/test-app.js';
import { manualPath } from '../manual/render-manual.js';
import type { ShowPage } from './take-pictures.js';

/** Of some months, so that the figures look like those of an organization. */
const amounts = {
  entries: 400,
  messages: 6000,
  batches: 20,
  requests: 40,
  people: 20,
  changes: 100,
};

/** The review of a document and the insights, for an admin of an organization with some months behind it. */
export async function takeBackoffice(show: ShowPage): Promise<void> {
  const test = await serveTestApp();
  const extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
  try {
    const acme = await addOrganization(test);
    await fillBackoffice(test, acme, amounts);
    const bytes = await readFile(manualPath());
    const input = { fileName: 'assistant-manual.pdf', domain: acme.domain, bytes };
    const { batch } = await startIngestion(test.app, acme.operator, input);
    await runDueBatches(test.app, extractor);
    const client = openPageClient(test.url);
    await client.signIn(await addUser(test, acme, 'admin'));
    const url = test.url.replace('127.0.0.1', 'localhost');
    const cookies = [...client.cookies].map(([name, value]) => ({ name, value, url }));
    const at = (path: string) => `${url}/backoffice${path}`;
    await show('backoffice-review', async (page) => {
      await page.context().addCookies(cookies);
      await page.goto(at(`/documents/${batch.id}/review`));
      await untilDrawn(page);
    });
    await show('backoffice-insights', async (page) => {
      await page.context().addCookies(cookies);
      await page.goto(at('/insights'));
    });
  } finally {
    await extractor.close();
    await test.close();
  }
}

/** Waits for the page of the PDF, which comes after the draft. */
async function untilDrawn(page: Page): Promise<void> {
  await page.locator('[data-pdf] canvas').first().waitFor();
  await page.locator('[data-pdf] mark').first().waitFor();
}
