import assert from 'node:assert/strict';
import { runDueBatches } from '../../../src/ingestion/worker/run-worker.js';
import { startIngestion } from '../../../src/ingestion/upload/start-ingestion.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../../src/documents/extract-document.js';
import { chapterOf, manualOf, sampleManual } from '../../support/sample-manual.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('The document pages', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let browser: PageClient;
  let extractor: DocumentExtractor;

  before(async () => {
    test = await serveTestApp({ ingestion: { max_file_mb: 2, section_min_chars: 0 } });
    acme = await addOrganization(test);
    extractor = createDocumentExtractor({ workers: 1, workerMemoryMb: 512 });
    browser = openPageClient(test.url);
    await browser.signIn(await addUser(test, acme, 'backoffice'));
  });
  after(async () => {
    await extractor.close();
    await test.close();
  });

  let files = 0;
  const ingest = async (chapters: number, fileName = `file-${++files}.pdf`) => {
    const bytes = await sampleManual(chapters, `subject${files}`);
    const { batch } = await startIngestion(test.app, acme.operator, { fileName, bytes });
    await runDueBatches(test.app, extractor);
    return { id: batch.id, path: `/documents/${batch.id}`, bytes, fileName };
  };
  const pathOf = (to: string) => to.replace('/backoffice', '').replace(/\?.*/, '');

  it('accept a file without JavaScript, and show its batch', async () => {
    const empty = await browser.open('/documents');
    assert.match(empty.text, /There are no documents yet/);
    const bytes = await sampleManual(2);
    const fields = { do: 'upload', app_id: '', domain: acme.domain, visibility: 'internal' };
    const sent = await browser.upload('/documents', { name: 'Guía & <b>.pdf', bytes }, fields);
    assert.equal(sent.status, 303, sent.text);
    assert.match(sent.to, /\/documents\/[\da-f-]{36}\?done=uploaded$/);
    const waiting = await browser.open(pathOf(sent.to));
    assert.match(waiting.text, /<h1>Guía &amp; &lt;b>\.pdf<\/h1>/);
    assert.match(waiting.text, /Being read/);
    assert.match(waiting.text, /As of .*Look again/);
    await runDueBatches(test.app, extractor);
    const read = await browser.open(pathOf(sent.to));
    assert.match(read.text, /Review 2 drafts/);
    assert.match(read.text, /Staff only/);
    const list = await browser.open('/documents');
    assert.match(list.text, /Review 2</);
    const again = await browser.upload('/documents', { name: 'Guía & <b>.pdf', bytes }, fields);
    assert.match(again.to, new RegExp(`${pathOf(sent.to)}\\?done=duplicate$`));
  });

  it('show why a file is refused, and keep the other fields of the form', async () => {
    const fields = { domain: acme.domain, visibility: 'authenticated' };
    const text = await browser.upload(
      '/documents',
      { name: 'a.pdf', bytes: Buffer.from('hello') },
      fields,
    );
    assert.equal(text.status, 415);
    assert.match(text.text, /role="alert"/);
    assert.ok(text.text.includes(`value="${acme.domain}"`));
    assert.match(text.text, /<option value="authenticated" selected>/);
    const large = Buffer.alloc(2_200_000, '%PDF-1.7 ');
    const refused = await browser.upload('/documents', { name: 'b.pdf', bytes: large });
    assert.equal(refused.status, 413);
    assert.match(refused.text, /larger than 2 MB/);
    const wrong = await browser.upload(
      '/documents',
      { name: 'c.pdf', bytes: await sampleManual(1) },
      { visibility: 'everybody' },
    );
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /href="#upload-visibility"/);
    const other = await browser.upload('/me', { name: 'd.pdf', bytes: Buffer.from('x') });
    assert.equal(other.status, 415);
  });

  it('refuse a file from another site, or without a session', async () => {
    const bytes = await sampleManual(1, 'foreign');
    const file = { name: 'foreign.pdf', bytes };
    const stranger = openPageClient(test.url);
    const { status, to } = await stranger.upload('/documents', file);
    assert.deepEqual([status, to], [303, '/backoffice/sign-in']);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), file.name);
    const cookie = `assistant=${browser.cookies.get('assistant') ?? ''}`;
    const refused = await fetch(`${test.url}/backoffice/documents`, {
      ...{ method: 'POST', body: form },
      headers: { cookie, 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(refused.status, 403);
    const { text } = await browser.open('/documents?name=foreign');
    assert.match(text, /No document fits/);
  });

  it('tell the script whether a file is new, changed or unchanged', async () => {
    const { bytes, fileName } = await ingest(1);
    const { createHash } = await import('node:crypto');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const ask = async (name: string, hash: string) => {
      const query = new URLSearchParams({ file_name: name, file_sha256: hash, domain: '' });
      const { status, text } = await browser.open(`/documents/look-up?${query.toString()}`);
      return [status, (JSON.parse(text) as { standing: string }).standing];
    };
    assert.deepEqual(await ask(fileName, sha256), [200, 'unchanged']);
    assert.deepEqual(await ask(fileName, '0'.repeat(64)), [200, 'changed']);
    assert.deepEqual(await ask('new.pdf', '0'.repeat(64)), [200, 'new']);
  });

  it('list documents by state, app and name, page by page', async () => {
    const globex = await addOrganization(test, 'Globex');
    for (let number = 0; number < 52; number++) {
      await test.app.db.write('ingestion_batches').insert({
        ...{ id: `00000000-0000-0000-0000-0000000000${number + 10}`, app_id: globex.appId },
        ...{ organization_id: globex.operator.organizationId, file_name: `many_${number}.pdf` },
        ...{ document: String(number), file_sha256: 'x', file_size: 1, status: 'failed' },
        ...{ error_code: 'damaged', error_message: 'It is damaged.', created_by: 'operator' },
        ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
      });
    }
    const reader = openPageClient(test.url);
    await reader.signIn(await addUser(test, globex, 'admin'));
    const namesIn = (text: string) => text.match(/many_\d+\.pdf<\/a>/g) ?? [];
    const first = await reader.open('/documents');
    assert.equal(namesIn(first.text).length, 50);
    assert.match(first.text, /Documents: 52/);
    const next = /href="\/backoffice(\/documents\?after=[^"]+)"/.exec(first.text)?.[1] ?? '';
    const second = await reader.open(next.replaceAll('&amp;', '&'));
    assert.equal(namesIn(second.text).length, 2);
    assert.equal(new Set([...namesIn(first.text), ...namesIn(second.text)]).size, 52);
    const named = await reader.open('/documents?name=y_1&status=failed');
    assert.equal(namesIn(named.text).length, 11);
    for (const query of ['name=%25', 'status=completed', `app=${acme.appId}`]) {
      const { text } = await reader.open(`/documents?${query}`);
      assert.match(text, /No document fits/, query);
    }
    const odd = await reader.open('/documents?status=odd&app=x&after=none');
    assert.equal(namesIn(odd.text).length, 50);
  });

  it('show a failed batch, retry it and delete it', async () => {
    const bytes = Buffer.from('%PDF-1.7\nnothing of a PDF');
    const { batch } = await startIngestion(test.app, acme.operator, { fileName: 'x.pdf', bytes });
    await runDueBatches(test.app, extractor);
    const path = `/documents/${batch.id}`;
    const { text } = await browser.open(path);
    assert.match(text, /It could not be read/);
    const retried = await browser.send(path, { do: 'retry' });
    assert.equal(retried.to, `/backoffice${path}?done=retried`);
    const again = await browser.send(path, { do: 'retry' });
    assert.equal(again.status, 409);
    await runDueBatches(test.app, extractor);
    assert.match((await browser.open(`${path}?ask=delete`)).text, /Delete this document\?/);
    const deleted = await browser.send(`${path}?ask=delete`, { do: 'delete' });
    assert.equal(deleted.to, '/backoffice/documents?done=batchDeleted');
    assert.equal((await browser.open(path)).status, 404);
  });

  it('accept all drafts after a question, and delete missing sections only if that is ticked', async () => {
    const fileName = 'versions.pdf';
    const start = async (chapters: number[]) => {
      const bytes = await manualOf(chapters.map((number) => chapterOf(number)));
      const { batch } = await startIngestion(test.app, acme.operator, { fileName, bytes });
      await runDueBatches(test.app, extractor);
      return `/documents/${batch.id}`;
    };
    const first = await start([0, 1, 2]);
    assert.match((await browser.open(`${first}?ask=approve`)).text, /Accept 3 drafts/);
    const stale = await browser.send(`${first}?ask=approve`, { do: 'approve', count: '2' });
    assert.equal(stale.status, 409);
    assert.match(stale.text, /there are 3 drafts now/);
    const done = await browser.send(`${first}?ask=approve`, { do: 'approve', count: '3' });
    assert.equal(done.to, `/backoffice${first}?done=approved`);
    assert.match((await browser.open(first)).text, /All drafts are decided/);

    const second = await start([0, 3]);
    const { text } = await browser.open(second);
    assert.match(text, /Against the last version/);
    assert.match(text, /No longer in the document/);
    const asked = await browser.open(`${second}?ask=approve`);
    assert.match(asked.text, /no longer in the document: 2</);
    // Without the tick, entries of missing sections stay, and can be deleted later.
    await browser.send(`${second}?ask=approve`, { do: 'approve', count: '1' });
    const rest = await browser.open(`${second}?ask=approve`);
    assert.match(rest.text, /Delete the entries that are no longer in the document \(2\)\?/);
    const form = { do: 'approve', count: '0', delete_gone: 'on' };
    assert.equal((await browser.send(`${second}?ask=approve`, form)).status, 303);
    assert.doesNotMatch((await browser.open(second)).text, /No longer in the document/);
  });

  it('serve the PDF in ranges, with the type of a PDF only', async () => {
    const { path, bytes } = await ingest(2);
    const whole = await fetchFile(path);
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), Buffer.from(bytes));
    const header = (name: string) => whole.headers.get(name);
    assert.equal(header('content-type'), 'application/pdf');
    assert.equal(header('x-content-type-options'), 'nosniff');
    assert.equal(header('accept-ranges'), 'bytes');
    assert.match(header('content-disposition') ?? '', /^inline; filename\*=UTF-8''file-/);
    const size = bytes.byteLength;
    for (const [range, status, start, end] of [
      ['bytes=0-9', 206, 0, 10],
      ['bytes=10-', 206, 10, size],
      ['bytes=-5', 206, size - 5, size],
      [`bytes=5-${size + 100}`, 206, 5, size],
      ['bytes=0-1,4-5', 200, 0, size],
      ['bytes=9-3', 200, 0, size],
      ['pages=1-2', 200, 0, size],
    ] as const) {
      const part = await fetchFile(path, { range });
      assert.equal(part.status, status, range);
      const read = Buffer.from(await part.arrayBuffer());
      assert.deepEqual(read, Buffer.from(bytes.slice(start, end)), range);
      assert.equal(part.headers.get('content-length'), String(end - start));
      if (status === 206) {
        assert.equal(part.headers.get('content-range'), `bytes ${start}-${end - 1}/${size}`);
      }
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const refused = await fetchFile(path, { range });
      assert.equal(refused.status, 416);
      assert.equal(refused.headers.get('content-range'), `bytes */${size}`);
    }
    const etag = header('etag') ?? '';
    assert.equal((await fetchFile(path, { 'if-none-match': etag })).status, 304);
    const changed = await fetchFile(path, { range: 'bytes=0-9', 'if-range': '"other"' });
    assert.equal(changed.status, 200);
  });

  function fetchFile(path: string, headers: Record<string, string> = {}) {
    const cookie = `assistant=${browser.cookies.get('assistant') ?? ''}`;
    return fetch(`${test.url}/backoffice${path}/file`, { headers: { cookie, ...headers } });
  }

  it('serve ranges of a large PDF, and the whole file', async () => {
    const bytes = Buffer.alloc(1_500_000, '0123456789');
    bytes.write('%PDF-1.7\n');
    const { batch } = await startIngestion(test.app, acme.operator, { fileName: 'l.pdf', bytes });
    const range = 'bytes=1048570-1048590';
    const part = await fetchFile(`/documents/${batch.id}`, { range });
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(1_048_570, 1_048_591));
    const whole = await fetchFile(`/documents/${batch.id}`);
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes);
    await browser.send(`/documents/${batch.id}`, { do: 'delete' });
  });

  it('stream the progress of a batch as events until it ends', async () => {
    const bytes = await sampleManual(1, 'event');
    const { batch } = await startIngestion(test.app, acme.operator, { fileName: 'e.pdf', bytes });
    const cookie = `assistant=${browser.cookies.get('assistant') ?? ''}`;
    const url = `${test.url}/backoffice/documents/${batch.id}/events`;
    const response = await fetch(url, { headers: { cookie } });
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    const text = response.text();
    await runDueBatches(test.app, extractor);
    assert.match(await text, /event: progress[^]*event: completed/);
  });

  it('do not exist for other organizations', async () => {
    const { path } = await ingest(1);
    const initech = await addOrganization(test, 'Initech');
    const stranger = openPageClient(test.url);
    await stranger.signIn(await addUser(test, initech, 'admin'));
    for (const below of ['', '/file', '/events', '/review']) {
      assert.equal((await stranger.open(path + below)).status, 404, below);
    }
    for (const form of [{ do: 'retry' }, { do: 'delete' }, { do: 'approve', count: '1' }]) {
      assert.equal((await stranger.send(path, form)).status, 404, form.do);
    }
    const decision = { do: 'reject', entry: '1', version: '"1"' };
    assert.equal((await stranger.send(`${path}/review`, decision)).status, 404);
    assert.match((await browser.open(path)).text, /Review 1 draft</);
  });
});
