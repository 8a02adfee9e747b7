import assert from 'node:assert/strict';
import { signAccessToken } from '../../src/accounts/tokens/access-tokens.js';
import { createUser } from '../../src/accounts/users/create-user.js';
import { updateUser } from '../../src/accounts/users/manage-users.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../src/documents/extract-document.js';
import { runDueBatches } from '../../src/ingestion/worker/run-worker.js';
import { openEventStream } from '../support/event-reader.js';
import { manualOf, sampleLines, sampleManual } from '../support/sample-manual.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
  type TestUser,
} from '../support/test-app.js';
import { readFixture } from '../pdf/build-pdf.js';

interface BatchBody {
  id: string;
  file_name: string;
  status: string;
  error: { code: string; message: string } | null;
  total_entries: number;
  entries: { id: number; is_active: boolean; scope: string; description: string }[];
}

describe('PDF ingestion over the API', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let staff: TestUser;
  let extractor: DocumentExtractor;
  const base = '/api/knowledge/ingestion-batches';
  let uploads = 0;

  before(async () => {
    test = await serveTestApp({ ingestion: { max_file_mb: 2, section_min_chars: 0 } });
    acme = await addOrganization(test);
    staff = await addUser(test, acme, 'backoffice');
    extractor = createDocumentExtractor({ workers: 2, workerMemoryMb: 512 });
  });
  after(async () => {
    await extractor.close();
    await test.close();
  });

  const send = (method: string, path: string, token = staff.token, body?: unknown) =>
    fetch(`${test.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const upload = (
    bytes: Uint8Array,
    fields: Record<string, string> = {},
    token = staff.token,
    // Each upload has its own name, because the same name would be a new version of the document.
    name = `file-${++uploads}.pdf`,
  ) => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), name);
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    return fetch(`${test.url}/api/knowledge/ingest-pdf`, {
      method: 'POST',
      body: form,
      headers: { Authorization: `Bearer ${token}` },
    });
  };
  const codeOf = async (response: Response) => [
    response.status,
    ((await response.json()) as { code: string }).code,
  ];

  it('accepts a PDF with 202, and shows its batch from processing to approved entries', async () => {
    const manual = await sampleManual(3);
    const response = await upload(
      manual,
      { domain: acme.domain },
      staff.token,
      '../../evil\u0007.pdf',
    );
    assert.equal(response.status, 202);
    const started = (await response.json()) as {
      batch_id: string;
      status: string;
      message: string;
    };
    assert.equal(started.status, 'processing');
    assert.ok(started.message.includes(`${base}/${started.batch_id}`));
    const path = `${base}/${started.batch_id}`;
    const waiting = (await (await send('GET', path)).json()) as BatchBody & { file_name: string };
    assert.equal(waiting.file_name, 'evil.pdf');
    assert.deepEqual([waiting.status, waiting.error, waiting.entries], ['processing', null, []]);

    await runDueBatches(test.app, extractor);
    const batch = (await (await send('GET', path)).json()) as BatchBody;
    assert.equal(batch.status, 'completed');
    assert.equal(batch.total_entries, 3);
    assert.ok(batch.entries.every((entry) => !entry.is_active && entry.scope === 'domain_global'));
    assert.match(batch.entries[1]?.description ?? '', /setting S2x3/);

    const ids = batch.entries.map((entry) => entry.id);
    const replace = async (replacement: string, entries?: number[]) => {
      const body = { find: 'setting', replacement, ...(entries && { entry_ids: entries }) };
      const reply = await send('POST', `${path}/replace`, staff.token, body);
      return (await reply.json()) as unknown;
    };
    const done = { success: true, refused: [], published: 0 };
    assert.deepEqual(await replace('level', ids.slice(1, 2)), { ...done, replaced: 1 });
    assert.deepEqual(await replace('step'), { ...done, replaced: 2 });
    const [, second] = ids;
    assert.equal((await send('POST', `/api/knowledge/${second}/undo`, staff.token)).status, 200);
    assert.deepEqual(await replace('level'), { ...done, replaced: 1 });
    const approved = await send('POST', `${path}/approve`, staff.token, { entry_ids: ids });
    assert.deepEqual(await approved.json(), { success: true, approved: 3 });
    const again = await upload(manual, { domain: acme.domain });
    assert.equal(again.status, 200);
    const body = (await again.json()) as { batch_id: string; duplicate: boolean };
    assert.deepEqual([body.batch_id, body.duplicate], [started.batch_id, true]);
    const deleted = await send('DELETE', path);
    assert.deepEqual([deleted.status, await deleted.json()], [200, { success: true, deleted: 0 }]);
    assert.deepEqual(await codeOf(await send('GET', path)), [404, 'not_found']);
  });

  it('shows the changes of a new version, and applies them on approval', async () => {
    interface Diffed {
      id: string;
      diff: object;
      entries: { id: number; replaces: number | null }[];
      gone: object[];
    }
    const lines = (number: number) => sampleLines(number, `wheel${number}`);
    const ingest = async (chapters: Parameters<typeof manualOf>[0]) => {
      const form = await upload(await manualOf(chapters), {}, staff.token, 'versions.pdf');
      const { batch_id } = (await form.json()) as { batch_id: string };
      await runDueBatches(test.app, extractor);
      return (await (await send('GET', `${base}/${batch_id}`)).json()) as Diffed;
    };
    const approve = async (batch: Diffed, more: object) => {
      const entry_ids = batch.entries.map((entry) => entry.id);
      const path = `${base}/${batch.id}/approve`;
      return send('POST', path, staff.token, { entry_ids, ...more });
    };
    const cleaning = { title: 'Cleaning wheels', lines: lines(1) };
    const storing = { title: 'Storing spokes', lines: lines(2) };
    const first = await ingest([cleaning, storing]);
    assert.deepEqual(first.diff, { unchanged: 0, changed: 0, new: 2, gone: 0 });
    await approve(first, {});
    const changed = { ...cleaning, lines: [...lines(1), 'Use no oil.'] };
    const second = await ingest([changed]);
    assert.deepEqual(second.diff, { unchanged: 0, changed: 1, new: 0, gone: 1 });
    assert.deepEqual(
      second.entries.map((entry) => entry.replaces),
      [first.entries[0]?.id],
    );
    assert.deepEqual(second.gone, [
      { id: first.entries[1]?.id, title: 'Storing spokes', pages: '2' },
    ]);
    const odd = await approve(second, { delete_gone: 'yes' });
    assert.deepEqual(await codeOf(odd), [400, 'invalid_request']);
    const done = await approve(second, { delete_gone: true });
    assert.deepEqual(await done.json(), { success: true, approved: 1, deleted: 1 });
    const again = await approve(second, { delete_gone: true });
    assert.deepEqual(await again.json(), { success: true, approved: 0, deleted: 0 });
  });

  it('fails an unreadable file with an error code, and keeps running', async () => {
    const truncated = (await readFixture('linuxcnc-integrator.es.pdf')).subarray(0, 60_000);
    const cases: [Uint8Array, string][] = [
      [await readFixture('password.pdf'), 'encrypted'],
      [await readFixture('images-only.pdf'), 'no_extractable_text'],
      [await readFixture('zero-pages.pdf'), 'no_extractable_text'],
      [truncated, 'damaged'],
    ];
    for (const [bytes, code] of cases) {
      const started = (await (await upload(bytes)).json()) as { batch_id: string };
      await runDueBatches(test.app, extractor);
      const batch = (await (await send('GET', `${base}/${started.batch_id}`)).json()) as BatchBody;
      assert.deepEqual(
        [batch.status, batch.error?.code, batch.entries.length],
        ['failed', code, 0],
      );
      assert.ok((batch.error?.message.length ?? 0) > 20);
    }
    assert.equal((await fetch(`${test.url}/health/ready`)).status, 200);
  });

  it('refuses an upload that is not a PDF, empty, too large or not a form', async () => {
    const html = new TextEncoder().encode('<html>not a PDF</html>');
    const page = (await (await upload(html)).json()) as { code: string; detail: string };
    assert.equal(page.code, 'not_a_pdf');
    assert.match(page.detail, /is a web page, probably an error or sign-in page/);
    assert.deepEqual(await codeOf(await upload(new Uint8Array())), [415, 'not_a_pdf']);
    const large = new Uint8Array(3 * 1024 * 1024).fill(0x20);
    assert.deepEqual(await codeOf(await upload(large)), [413, 'file_too_large']);
    assert.deepEqual(
      await codeOf(await send('POST', '/api/knowledge/ingest-pdf', staff.token, { file: 'x' })),
      [400, 'invalid_request'],
    );
    const form = new FormData();
    form.set('domain', acme.domain);
    const init = {
      method: 'POST',
      body: form,
      headers: { Authorization: `Bearer ${staff.token}` },
    };
    const missing = await fetch(`${test.url}/api/knowledge/ingest-pdf`, init);
    const problem = (await missing.json()) as { errors: { path: string }[] };
    assert.deepEqual([missing.status, problem.errors[0]?.path], [400, 'file']);
  });

  it('stops an upload without a length as soon as it exceeds the limit', async () => {
    let sent = 0;
    const enough = new AbortController();
    const boundary = 'xxxx';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\n`;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        const bytes = sent === 0 ? new TextEncoder().encode(head) : new Uint8Array(256 * 1024);
        sent += bytes.byteLength;
        // Bounded, so that a server that reads everything fails the test instead of hanging it.
        if (sent > 200 * 1024 * 1024) controller.close();
        else controller.enqueue(bytes);
      },
    });
    const response = await fetch(`${test.url}/api/knowledge/ingest-pdf`, {
      method: 'POST',
      body: endless,
      headers: {
        Authorization: `Bearer ${staff.token}`,
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
      },
      duplex: 'half',
      signal: enough.signal,
    } as RequestInit);
    assert.deepEqual(await codeOf(response), [413, 'file_too_large']);
    enough.abort();
    assert.ok(sent < 100 * 1024 * 1024, `${sent} bytes were read`);
  });

  it('refuses invalid form fields, and an app or domain of another organization', async () => {
    const bytes = await sampleManual(1, 'gear');
    const globex = await addOrganization(test, 'Globex');
    assert.deepEqual(await codeOf(await upload(bytes, { app_id: 'x' })), [400, 'invalid_request']);
    assert.deepEqual(await codeOf(await upload(bytes, { colour: 'red' })), [
      400,
      'invalid_request',
    ]);
    assert.deepEqual(await codeOf(await upload(bytes, { domain: 'http://a/b' })), [
      400,
      'invalid_request',
    ]);
    assert.deepEqual(await codeOf(await upload(bytes, { app_id: String(globex.appId) })), [
      404,
      'not_found',
    ]);
    assert.deepEqual(await codeOf(await upload(bytes, { domain: globex.domain })), [
      409,
      'conflict',
    ]);
    assert.deepEqual(await codeOf(await upload(bytes, { domain: 'unclaimed.example' })), [
      422,
      'unprocessable',
    ]);
  });

  it('is for staff only, and shows no batch to another organization', async () => {
    const started = (await (await upload(await sampleManual(1, 'axle'))).json()) as {
      batch_id: string;
    };
    const reader = await addUser(test, acme, 'user');
    const initech = await addOrganization(test, 'Initech');
    const stranger = await addUser(test, initech, 'admin');
    const path = `${base}/${started.batch_id}`;
    const calls: [string, string, unknown?][] = [
      ['GET', path],
      ['GET', `${path}/events`],
      ['POST', `${path}/approve`, { entry_ids: [1] }],
      ['POST', `${path}/retry`],
      ['DELETE', path],
    ];
    for (const [method, url, body] of calls) {
      assert.deepEqual(await codeOf(await send(method, url, reader.token, body)), [
        403,
        'forbidden',
      ]);
      assert.deepEqual(await codeOf(await send(method, url, stranger.token, body)), [
        404,
        'not_found',
      ]);
      assert.deepEqual(await codeOf(await fetch(`${test.url}${url}`, { method })), [
        401,
        'unauthenticated',
      ]);
    }
    const list = (await (await send('GET', base, stranger.token)).json()) as {
      pagination: { total: number };
    };
    assert.equal(list.pagination.total, 0);
    assert.deepEqual(await codeOf(await upload(new Uint8Array([1]), {}, reader.token)), [
      403,
      'forbidden',
    ]);
  });

  it('streams the progress of a batch as events until it ends', async () => {
    const started = (await (await upload(await sampleManual(8, 'rotor'))).json()) as {
      batch_id: string;
    };
    const response = await send('GET', `${base}/${started.batch_id}/events`);
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(response.headers.get('x-accel-buffering'), 'no');
    const [text] = await Promise.all([response.text(), runDueBatches(test.app, extractor)]);
    assert.ok(text.startsWith(': connected\n\n'));
    const events = [...text.matchAll(/^event: (\w+)$/gm)].map((match) => match[1]);
    assert.equal(events.at(0), 'progress');
    assert.equal(events.at(-1), 'completed');
  });

  it('stops streaming to a person who loses the right to see the batch', async () => {
    const { batch_id: id } = (await (await upload(await sampleManual(1, 'cam'))).json()) as {
      batch_id: string;
    };
    const email = 'leaving@example.com';
    const leaving = { email, role: 'backoffice', password: 'correct horse battery' } as const;
    const { id: userId } = await createUser(test.app, acme.operator, leaving);
    const token = await signAccessToken(test.app, { userId }, 900);
    const stream = await openEventStream(`${test.url}${base}/${id}/events`, { token });
    assert.equal((await stream.next()).event, 'progress');
    await updateUser(test.app, acme.operator, { id: userId, disabled: true });
    await runDueBatches(test.app, extractor);
    assert.deepEqual(await stream.rest(), []);
  });

  it('lists batches by status, page by page', async () => {
    const response = await send('GET', `${base}?status=failed&limit=2`);
    const list = (await response.json()) as { data: BatchBody[]; pagination: { limit: number } };
    assert.equal(list.pagination.limit, 2);
    assert.equal(list.data.length, 2);
    assert.ok(list.data.every((batch) => batch.status === 'failed'));
    const all = (await (await send('GET', `${base}?status=completed`)).json()) as typeof list;
    const own = all.data.filter((batch) => batch.file_name !== 'versions.pdf');
    assert.ok(own.length > 0 && own.every((batch) => batch.total_entries > 0));
    assert.deepEqual(await codeOf(await send('GET', `${base}?status=odd`)), [
      400,
      'invalid_request',
    ]);
    assert.deepEqual(await codeOf(await send('GET', `${base}?limit=101`)), [
      400,
      'invalid_request',
    ]);
  });
});
