import assert from 'node:assert/strict';
import { createWidgetKey } from '../../../src/federation/manage-widget-keys.js';
import { startIngestion } from '../../../src/ingestion/upload/start-ingestion.js';
import { runDueBatches } from '../../../src/ingestion/worker/run-worker.js';
import { createWebhook } from '../../../src/notifications/manage-webhooks.js';
import { createBackup } from '../../../src/operations/backup/create-backup.js';
import { listSetupSteps } from '../../../src/operations/list-setup-steps.js';
import { createDocumentExtractor } from '../../../src/documents/extract-document.js';
import { fileRequest } from '../../../src/requests/file-request.js';
import { updateRequest } from '../../../src/requests/update-request.js';
import { sampleManual } from '../../support/sample-manual.js';
import { addOrganization, addUser, serveTestApp } from '../../support/test-app.js';
import { openPageClient } from '../support/page-client.js';

describe('The page of today', () => {
  it('shows the waiting tasks of one’s own organization only', async () => {
    const test = await serveTestApp({});
    const extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
    try {
      const acme = await addOrganization(test);
      const other = await addOrganization(test, 'Other');
      const browser = openPageClient(test.url);
      await browser.signIn(await addUser(test, acme, 'backoffice'));
      assert.match((await browser.open('')).text, /Nothing waits/);
      const ingest = async (organization: typeof acme, fileName: string, bytes: Uint8Array) => {
        const { batch } = await startIngestion(test.app, organization.operator, {
          fileName,
          bytes,
        });
        await runDueBatches(test.app, extractor);
        return batch.id;
      };
      const hasDocument = async () =>
        (await listSetupSteps(test.app, acme.operator)).some(
          ({ name, done }) => name === 'document' && done,
        );
      const failed = await ingest(acme, 'broken.pdf', Buffer.from('%PDF-1.4 nothing'));
      assert.equal(await hasDocument(), false);
      const read = await ingest(acme, 'read.pdf', await sampleManual(2));
      assert.equal(await hasDocument(), true);
      await ingest(other, 'theirs.pdf', await sampleManual(3, 'theirs'));
      const { id } = await fileRequest(test.app, acme.operator, { question: 'Who feeds it?' });
      await fileRequest(test.app, other.operator, { question: 'A question of theirs?' });
      const { text } = await browser.open('');
      assert.match(
        text,
        new RegExp(
          `/documents/${read}/review">read\\.pdf</a></span> <span class="facts-beside">drafts: 2 · <time`,
        ),
      );
      assert.match(text, /Drafts to review: 2/);
      assert.match(text, new RegExp(`/documents/${failed}">broken\\.pdf`));
      assert.match(text, new RegExp(`/questions/${id}">Who feeds it\\?`));
      assert.doesNotMatch(text, /theirs/);
      await updateRequest(test.app, acme.operator, id, { status: 'resolved', response: 'Ada.' });
      assert.doesNotMatch((await browser.open('')).text, /Who feeds it/);
    } finally {
      await extractor.close();
      await test.close();
    }
  });

  it('counts a tried question as asked, and localhost as no domain of a site', async () => {
    const test = await serveTestApp({ answers: { mode: 'extractive' } });
    try {
      const acme = await addOrganization(test, 'Acme', 'localhost');
      const browser = openPageClient(test.url);
      await browser.signIn(await addUser(test, acme, 'admin'));
      const open = async () => {
        const steps = await listSetupSteps(test.app, acme.operator);
        return steps.flatMap(({ name, done }) => (done ? [] : [name]));
      };
      assert.deepEqual((await open()).slice(0, 2), ['domain', 'document']);
      assert.ok((await open()).includes('answer'));
      const question = { question: 'Who feeds it?', url: '', language: '', tier: 'public' };
      assert.equal((await browser.send('/try', { do: 'ask', ...question })).status, 200);
      assert.ok(!(await open()).includes('answer'));
    } finally {
      await test.close();
    }
  });

  it('shows admins which set-up steps are done, until they hide them', async () => {
    const test = await serveTestApp({});
    try {
      const acme = await addOrganization(test);
      const other = await addOrganization(test, 'Other');
      const browser = openPageClient(test.url);
      await browser.signIn(await addUser(test, acme, 'admin'));
      const done = async () =>
        (await listSetupSteps(test.app, acme.operator)).flatMap(({ name, done }) =>
          done ? [name] : [],
        );
      assert.deepEqual(await done(), ['domain']);
      const { text } = await browser.open('');
      assert.match(text, /1 of 9 steps are done/);
      assert.match(text, /<a href="[^"]*\/sites">Add the domain of your site/);
      const { appId } = acme;
      const named = { appId, kind: 'public', name: 'Website' } as const;
      const { key } = await createWidgetKey(test.app, acme.operator, named);
      test.app.keySightings.note(key.key, acme.domain);
      await test.app.keySightings.settled();
      await addUser(test, acme, 'backoffice');
      await createWebhook(test.app, acme.operator, { url: 'https://hooks.acme.example/' });
      await createBackup(test.app, { configFile: undefined });
      assert.deepEqual(await done(), ['domain', 'key', 'seen', 'person', 'messages', 'backup']);
      const theirs = await listSetupSteps(test.app, other.operator);
      assert.deepEqual(
        theirs.filter((step) => step.done).map(({ name }) => name),
        ['domain'],
      );
      assert.ok(theirs.every(({ name }) => name !== 'backup'));
      await browser.send('', { do: 'hideChecklist' });
      assert.doesNotMatch((await browser.open('')).text, /steps are done/);
      await browser.send('', { do: 'showChecklist' });
      assert.match((await browser.open('')).text, /steps are done/);
    } finally {
      await test.close();
    }
  });
});
