import assert from 'node:assert/strict';
import { getEntry } from '../../../src/knowledge/read-entries.js';
import { updateEntry } from '../../../src/knowledge/update-entry.js';
import { approveBatch } from '../../../src/ingestion/review/approve-batch.js';
import { startIngestion } from '../../../src/ingestion/upload/start-ingestion.js';
import { presentBatchWithEntries } from '../../../src/ingestion/batches/batch.schema.js';
import { describeBatch } from '../../../src/ingestion/batches/describe-batch.js';
import { deleteBatch, getBatch } from '../../../src/ingestion/review/review-batch.js';
import { getReview } from '../../../src/ingestion/review/read-review.js';
import { runDueBatches } from '../../../src/ingestion/worker/run-worker.js';
import {
  createDocumentExtractor,
  type DocumentExtractor,
} from '../../../src/documents/extract-document.js';
import { chapterOf, manualOf } from '../../support/sample-manual.js';
import {
  addOrganization,
  addUser,
  serveTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { openPageClient, type PageClient } from '../support/page-client.js';

describe('The review of drafts without JavaScript', () => {
  let test: TestApp & { url: string };
  let acme: TestOrganization;
  let browser: PageClient;
  let extractor: DocumentExtractor;

  before(async () => {
    test = await serveTestApp({ ingestion: { section_min_chars: 0 } });
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
  const ingest = async (
    chapters: [index: number, change?: string][],
    name?: string,
    reader = extractor,
  ) => {
    const fileName = name ?? `file-${++files}.pdf`;
    const bytes = await manualOf(chapters.map(([index, change]) => chapterOf(index, change)));
    const input = { fileName, domain: acme.domain, bytes };
    const { batch } = await startIngestion(test.app, acme.operator, input);
    await runDueBatches(test.app, reader);
    const { drafts } = await getReview(test.app, acme.operator, batch.id);
    const path = `/documents/${batch.id}/review`;
    return { id: batch.id, path, ids: drafts.map(({ id }) => id), drafts };
  };
  const entry = (id: number | undefined) => getEntry(test.app, acme.operator, String(id));
  /** The fields of an action's form, as a browser sends them. */
  const fieldsOf = (text: string, action: string): Record<string, string> => {
    const start = text.indexOf(`name="do" value="${action}"`);
    assert.ok(start >= 0, `no form ${action}`);
    const form = text.slice(start, text.indexOf('</form>', start));
    const inputs = [...form.matchAll(/<input[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"/g)];
    const named = inputs.map(([, name = '', value = '']) => [name, plain(value)]);
    return { ...(Object.fromEntries(named) as Record<string, string>), do: action };
  };
  const plain = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  const pathOf = (to: string) => to.replace('/backoffice', '');
  const decide = async (path: string, id: number | undefined, action: string) => {
    const { text } = await browser.open(`${path}?draft=${id}`);
    return browser.send(`${path}?draft=${id}`, fieldsOf(text, action));
  };

  it('leads from draft to draft, and ends with a summary', async () => {
    const { path, ids } = await ingest([[0], [1], [2]]);
    const [first, second, third] = ids;
    const start = await browser.open(path);
    assert.match(start.text, /Draft 1 of 3/);
    assert.match(start.text, /<h1[^>]*>Cleaning pumps<\/h1>/);
    assert.match(start.text, /file#page=1"/);
    assert.match(start.text, new RegExp(`href="[^"]*draft=${second}"[^>]*>Next`));
    const accepted = await decide(path, first, 'accept');
    assert.equal(pathOf(accepted.to), `${path}?draft=${second}&did=accepted&last=${first}`);
    assert.equal((await entry(first)).status, 'published');
    // The second is skipped and the third rejected, so that the second remains.
    const rejected = await decide(path, third, 'reject');
    assert.equal(pathOf(rejected.to), `${path}?draft=${second}&did=rejected&last=${third}`);
    const next = await browser.open(pathOf(rejected.to));
    assert.match(next.text, /Rejected\.<\/span>/);
    assert.match(next.text, /Rejected:<\/span> Printing labels/);
    const end = await browser.open(`${path}?draft=end`);
    assert.match(end.text, /Still open: 1 draft/);
    const last = await decide(path, second, 'accept');
    assert.match((await browser.open(pathOf(last.to))).text, /All drafts are decided/);
  });

  it('shows the text of another kind of document beside its draft, and never the file itself', async () => {
    const html =
      '<main><h1>Pump</h1><h2 id=oil>Oil</h2><p>Oil it.</p><script>alert(1)</script><h2 id=lid>Lid</h2><p>Open &lt;b onclick=x&gt; it.</p></main>';
    const other = '<p>See <a href=pump#oil>oil</a>, <a href=none>none</a>.</p>';
    const input = { fileName: 'pump.html', domain: acme.domain, bytes: Buffer.from(html) };
    const sourceUrl = 'https://docs.acme.example/pump';
    const started = await startIngestion(test.app, acme.operator, { ...input, sourceUrl });
    const { id } = started.batch;
    await runDueBatches(test.app, extractor);
    const { drafts } = await getReview(test.app, acme.operator, id);
    const { text } = await browser.open(`/documents/${id}/review?draft=${drafts[1]?.id}`);
    const panel = text.slice(text.indexOf('<aside class="page-panel source-panel"'));
    assert.match(
      panel,
      /<details><summary>The text above it<\/summary>[^]*Pump › Oil[^]*<\/details>/,
    );
    assert.match(
      panel,
      /<section class="source of-draft" aria-current="true"><h2>Pump › Lid<\/h2>/,
    );
    assert.match(panel, /Open &lt;b onclick=x(?:>|&gt;) it\./);
    assert.match(panel, /href="https:\/\/docs\.acme\.example\/pump#lid"[^>]*target="_blank"/);
    assert.doesNotMatch(panel.slice(0, panel.indexOf('</aside>')), /<script|alert/);
    const linked = { fileName: 'list.html', domain: acme.domain, bytes: Buffer.from(other) };
    const { batch } = await startIngestion(test.app, acme.operator, {
      ...linked,
      sourceUrl: 'https://docs.acme.example/list',
    });
    await runDueBatches(test.app, extractor);
    const [oil] = (await getBatch(test.app, acme.operator, id)).entries;
    const shown = `See <a href="/backoffice/knowledge/${oil?.uuid}">oil</a>, none.`;
    const review = await browser.open(`/documents/${batch.id}/review`);
    assert.equal(review.text.split(shown).length, 3, 'in the draft and in its source');
    const shownBatch = await browser.open(`/documents/${id}`);
    assert.match(
      shownBatch.text,
      /<dt>Page<\/dt><dd><a href="https:\/\/docs\.acme\.example\/pump"/,
    );
    const { headers } = await browser.open(`/documents/${id}/file`);
    assert.deepEqual(
      ['content-type', 'content-disposition', 'content-security-policy'].map((name) =>
        headers.get(name),
      ),
      [
        'application/octet-stream',
        "attachment; filename*=UTF-8''pump.html",
        "default-src 'none'; sandbox",
      ],
    );
  });

  it('shows the place of a published entry in its source, which answers lead staff to', async () => {
    const read = async (text: string) => {
      const input = { fileName: 'zither.md', domain: acme.domain, bytes: Buffer.from(text) };
      const { batch } = await startIngestion(test.app, acme.operator, { ...input, force: true });
      await runDueBatches(test.app, extractor);
      return getBatch(test.app, acme.operator, batch.id);
    };
    const strings = '# Zither\n\n## Strings\n\nThe zither has 32 strings of steel.\n';
    const { batch, entries } = await read(`${strings}\n## Case\n\nThe case is of wood.\n`);
    const entryIds = entries.map(({ id }) => id);
    await approveBatch(test.app, acme.operator, { batchId: batch.id, entryIds });
    const zither = await entry(entryIds[0]);
    const linkIn = (text: string) =>
      /href="\/backoffice(\/documents\/[^"]*)">In the source</.exec(text)?.[1] ?? '';
    const onEntry = linkIn((await browser.open(`/knowledge/${zither.uuid}`)).text);
    assert.equal(onEntry, `/documents/${zither.batchId}/review?draft=${zither.id}`);
    const { text } = await browser.open(onEntry);
    assert.match(text, /class="source of-draft" aria-current="true"><h2>Zither › Strings/);
    assert.match(text, /<h1[^>]*>Zither › Strings</);
    assert.doesNotMatch(text, /value="(?:accept|reject)"/);
    const asked = {
      do: 'ask',
      question: 'How many strings has the zither?',
      url: '',
      language: '',
    };
    const tried = await browser.send('/try', { ...asked, tier: 'public' });
    assert.equal(linkIn(tried.text), onEntry);
    // Of a draft that was published on its own page, too.
    const [, hood] = (await read('# Hood\n\nThe hood is red.\n\n## Lid\n\nIt is blue.\n')).entries;
    await updateEntry(test.app, acme.operator, hood?.uuid ?? '', { status: 'published' });
    const onHood = linkIn((await browser.open(`/knowledge/${hood?.uuid}`)).text);
    assert.match((await browser.open(onHood)).text, /<h1[^>]*>Hood › Lid</);
    await deleteBatch(test.app, acme.operator, batch.id);
    assert.equal(linkIn((await browser.open(`/knowledge/${zither.uuid}`)).text), '');
  });

  it('warns of a draft whose pages text recognition was not sure of', async () => {
    const doubting: DocumentExtractor = {
      ...extractor,
      extract: async (...args) => ({
        ...(await extractor.extract(...args)),
        recognizedPages: [
          { page: 1, confidence: 76 },
          { page: 2, confidence: 96 },
        ],
      }),
    };
    const { id, path, ids } = await ingest([[0], [1]], 'scan.pdf', doubting);
    const warning = /not sure of page 1 \(76 of 100\)/;
    assert.match((await browser.open(`${path}?draft=${ids[0]}`)).text, warning);
    assert.doesNotMatch((await browser.open(`${path}?draft=${ids[1]}`)).text, /not sure of/);
    const found = await getBatch(test.app, acme.operator, id);
    assert.deepEqual(
      presentBatchWithEntries(found).entries.map(({ confidence }) => confidence),
      [76, 96],
    );
    const shown = describeBatch(found, 100);
    assert.match(shown, /not sure of page 1; compare with the PDF/);
    assert.match(shown, /confidence[^]*\b76 [^]*\b96 /);
  });

  it('can undo a decision', async () => {
    const { path, ids } = await ingest([[0], [1]]);
    const [first, second] = ids;
    const rejected = await decide(path, first, 'reject');
    const { text } = await browser.open(pathOf(rejected.to));
    const back = await browser.send(`${path}?draft=${first}`, fieldsOf(text, 'takeBack'));
    assert.match(back.to, /did=takenBack$/);
    const restored = await browser.open(pathOf(back.to));
    assert.match(restored.text, /Draft 1 of 2/);
    assert.match(restored.text, /<h1[^>]*>Cleaning pumps/);
    await decide(path, second, 'accept');
    const undone = await decide(path, second, 'takeBack');
    assert.match(undone.to, new RegExp(`draft=${second}&did=takenBack$`));
    assert.equal((await entry(second)).status, 'draft');
    assert.match((await browser.open(pathOf(undone.to))).text, /somebody took it back/);
  });

  it('edits a draft, and accepts it in the same step', async () => {
    const { path, ids } = await ingest([[0], [1]]);
    const [first] = ids;
    const edit = `${path}?draft=${first}&ask=edit`;
    const { text } = await browser.open(edit);
    const form = {
      ...fieldsOf(text, 'save'),
      ...{ title: 'A <new> title', content: 'A new text.', url_pattern: '/help/*' },
      ...{ visibility: 'internal' },
    };
    const saved = await browser.send(edit, form);
    assert.equal(pathOf(saved.to), `${path}?draft=${first}&did=saved`);
    const stored = await entry(first);
    assert.deepEqual(
      [stored.title, stored.content, stored.domain, stored.urlPattern, stored.visibility],
      ['A <new> title', 'A new text.', acme.domain, '/help/*', 'internal'],
    );
    assert.match((await browser.open(`${path}?draft=${first}`)).text, /A &lt;new> title/);
    const again = fieldsOf((await browser.open(edit)).text, 'save');
    const both = await browser.send(edit, {
      ...{ ...again, content: 'Better.', visibility: '', domain: '', then: 'accept' },
    });
    assert.match(both.to, /did=accepted/);
    const published = await entry(first);
    assert.deepEqual(
      [published.status, published.content, published.domain, published.visibility],
      ['published', 'Better.', null, 'public'],
    );
  });

  it('keeps typed text after a refusal or another person’s change', async () => {
    const { path, ids } = await ingest([[0]]);
    const [first] = ids;
    const edit = `${path}?draft=${first}&ask=edit`;
    const form: Record<string, string> = {
      ...fieldsOf((await browser.open(edit)).text, 'save'),
      ...{ title: 'Mine', content: 'My words.', visibility: '' },
    };
    const refused = await browser.send(edit, { ...form, domain: 'not a host' });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /href="#save-domain"/);
    assert.match(refused.text, />My words\.<\/textarea>/);

    await updateEntry(test.app, acme.operator, String(first), { content: 'Their words.' });
    const conflict = await browser.send(edit, form);
    assert.equal(conflict.status, 412);
    assert.match(conflict.text, /Somebody else has changed this draft/);
    assert.match(conflict.text, /<del>.*Their/s);
    assert.match(conflict.text, />My words\.<\/textarea>/);
    const over = await browser.send(edit, {
      ...form,
      version: fieldsOf(conflict.text, 'save')['version'] ?? '',
    });
    assert.equal(over.status, 303);
    assert.equal((await entry(first)).content, 'My words.');
    // This decision is about a text that the reviewer has not seen.
    const unseen = { do: 'accept', entry: String(first), version: form['version'] ?? '' };
    assert.equal((await browser.send(`${path}?draft=${first}`, unseen)).status, 412);
    assert.equal((await entry(first)).status, 'draft');
  });

  it('shows the entry that a draft replaces, with the changed words', async () => {
    const first = await ingest([[0], [1]], 'versions.pdf');
    await decide(first.path, first.ids[0], 'accept');
    await decide(first.path, first.ids[1], 'accept');
    const changed = await ingest([[0], [1, 'The lamp turns green.']], 'versions.pdf');
    assert.equal(changed.drafts.length, 1);
    const { text } = await browser.open(changed.path);
    assert.match(text, new RegExp(`It replaces entry ${first.ids[1]}, “Warming rooms”`));
    assert.match(text, /<ins><span class="unseen">\[added: <\/span>[^<]*lamp turns green/);
    assert.match(text, /It keeps the place/);
    const { to } = await decide(changed.path, changed.ids[0], 'accept');
    // The older entry has its text now: an undo would leave neither.
    assert.equal(pathOf(to), `${changed.path}?draft=end&did=accepted`);
    const accepted = await browser.open(`${changed.path}?draft=${first.ids[1]}`);
    assert.match(accepted.text, /Accepted/);
    assert.doesNotMatch(accepted.text, /value="takeBack"/);
    const forced = { do: 'takeBack', entry: String(first.ids[1]) };
    assert.equal((await browser.send(changed.path, forced)).status, 409);
    assert.equal((await entry(first.ids[1])).status, 'published');
  });

  it('accepts all drafts from one on after a question, except undone ones', async () => {
    const { path, ids } = await ingest([[0], [1], [2], [3]]);
    const [first, second, third, fourth] = ids;
    await decide(path, fourth, 'accept');
    await decide(path, fourth, 'takeBack');
    const ask = `${path}?draft=${second}&ask=rest`;
    const { text } = await browser.open(ask);
    assert.match(text, /Accept 2 drafts from this one on/);
    const form = fieldsOf(text, 'acceptRest');
    assert.equal((await browser.send(ask, { ...form, count: '3' })).status, 409);
    const done = await browser.send(ask, form);
    assert.equal(pathOf(done.to), `${path}?draft=end&did=acceptedRest`);
    const states = await Promise.all([first, second, third, fourth].map(entry));
    assert.deepEqual(
      states.map(({ status }) => status),
      ['draft', 'published', 'published', 'draft'],
    );
  });

  it('merges a draft with the next, splits it at a line, and undoes either', async () => {
    const { path, ids } = await ingest([[0], [1], [2]]);
    const [first, second] = ids;
    const before = await entry(first);
    const { text } = await browser.open(`${path}?draft=${first}`);
    const form = fieldsOf(text, 'merge');
    assert.equal(form['next'], String(second));
    const late = await browser.send(`${path}?draft=${first}`, { ...form, version: '"9"' });
    assert.equal(late.status, 412);
    const merged = await browser.send(`${path}?draft=${first}`, form);
    assert.equal(pathOf(merged.to), `${path}?draft=${first}&did=merged`);
    const shown = await browser.open(pathOf(merged.to));
    assert.match(shown.text, /Draft 1 of 2/);
    assert.match(shown.text, /Page 1-2/);
    const undone = await browser.send(`${path}?draft=${first}`, fieldsOf(shown.text, 'undo'));
    assert.match(undone.to, /did=reshapingUndone$/);
    assert.equal((await entry(first)).content, before.content);

    const ask = `${path}?draft=${first}&ask=split`;
    const asked = await browser.open(ask);
    assert.match(asked.text, /The second part begins with/);
    const cut = { ...fieldsOf(asked.text, 'split'), second_title: 'The second part' };
    assert.equal((await browser.send(ask, { ...cut, position: '0' })).status, 400);
    const split = await browser.send(ask, cut);
    assert.equal(pathOf(split.to), `${path}?draft=${first}&did=split`);
    const parts = await browser.open(pathOf(split.to));
    assert.match(parts.text, /Draft 1 of 4/);
    assert.match(parts.text, /The second part/);
    await browser.send(`${path}?draft=${first}`, fieldsOf(parts.text, 'undo'));
    assert.equal((await entry(first)).content, before.content);
  });

  it('replaces a text in all drafts after showing what changes, and undoes it', async () => {
    const { id, path, ids } = await ingest([[0], [1], [2]]);
    const page = `/documents/${id}/replace?draft=${ids[1]}`;
    const [first] = ids;
    const { uuid, title } = await entry(first);
    await updateEntry(test.app, acme.operator, uuid, { title: `Draft <copy> › ${title}` });
    const { text: review } = await browser.open(`${path}?draft=${ids[1]}`);
    assert.ok(review.includes(`href="/backoffice${page}"`), 'the review leads there');
    const missed = await browser.open(`${page}&find=Draft+copy`);
    assert.match(missed.text, /None of the 3 open drafts has this text/);
    const found = await browser.open(`${page}&find=${encodeURIComponent('Draft <copy>')}`);
    assert.match(found.text, /It stands in 1 of 3 open drafts/);
    assert.match(found.text, /<del>Draft &lt;copy><\/del>|<del>[^]*Draft/);
    const form = { ...fieldsOf(found.text, 'replace'), find: 'Draft <copy>' };
    const done = await browser.send(page, form);
    assert.match(done.text, /Drafts changed: 1\./);
    assert.equal((await entry(first)).title, title);
    const blank = await browser.open(`${page}&find=%20`);
    assert.match(blank.text, /role="alert"[^]*<textarea/, 'the form stays');
    // The result may be left: its undo is offered where the next text is replaced.
    const later = await browser.open(page);
    assert.match(later.text, /“Draft &lt;copy>” was taken out\. Drafts: 1/);
    assert.deepEqual(fieldsOf(later.text, 'undo'), fieldsOf(done.text, 'undo'));
    const back = await browser.send(page, fieldsOf(later.text, 'undo'));
    assert.match(back.text, /as they were before: 1\./);
    assert.equal((await entry(first)).title, `Draft <copy> › ${title}`);
    assert.doesNotMatch((await browser.open(page)).text, /was taken out/);
  });

  it('replaces a text in the ticked drafts alone, and names those that stay as they are', async () => {
    const { id, path, ids } = await ingest([[0], [1], [2], [3]]);
    const page = `/documents/${id}/replace`;
    const [first, second, third, fourth] = await Promise.all(ids.map(entry));
    const edit = (uuid = '', change: object) => updateEntry(test.app, acme.operator, uuid, change);
    for (const one of [first, second, fourth])
      await edit(one?.uuid, { content: `${one?.content ?? ''}\n\nBack to top` });
    await edit(third?.uuid, { content: '## Top\n\n[Back to top](#top)' });
    await edit(fourth?.uuid, { status: 'published' });
    const { text } = await browser.open(`${page}?find=Back+to+top`);
    assert.match(text, /It stands in 2 of 3 open drafts/);
    assert.equal(text.match(/<input type="checkbox" name="entry"[^>]* checked/g)?.length, 2);
    assert.match(text, new RegExp(`would be empty: 1[^]*draft=${ids[2]}"`));
    assert.match(text, /Published entries of this document that have the text: 1\./);
    const [, list = ''] = /href="\/backoffice(\/knowledge\?[^"]*)"/.exec(text) ?? [];
    assert.match((await browser.open(plain(list))).text, /1 to 1 of 1/);

    const form: Record<string, string> = { ...fieldsOf(text, 'replace'), find: 'Back to top' };
    const { entry: box = '', ...none } = form;
    assert.match(box, /^[^\n]+$/, 'fieldsOf keeps the last box');
    const nothing = await browser.send(page, none);
    assert.match(nothing.to, /find=Back\+to\+top.*done=noneTicked/);
    const wrong = `${third?.uuid}:${(third?.version ?? 0) + 1}`;
    const done = await browser.send(page, { ...form, entry: `${box}\n${wrong}` });
    assert.match(done.text, /Drafts changed: 1\./);
    assert.match(done.text, new RegExp(`would be empty: 1[^]*draft=${ids[2]}"`));
    assert.ok((await entry(ids[0])).content.endsWith('Back to top'), 'it was not ticked');
    assert.ok(!(await entry(ids[1])).content.endsWith('Back to top'));
    // Each draft can be put back by itself in its review.
    const { text: review } = await browser.open(`${path}?draft=${ids[1]}`);
    assert.match(review, /Undo replacement/);
    await decide(path, ids[1], 'undo');
    assert.ok((await entry(ids[1])).content.endsWith('Back to top'));
  });

  it('links a document to its entries, and an entry to the others of its document', async () => {
    const { id, ids } = await ingest([[0], [1]], 'hand & book.pdf');
    const { text } = await browser.open(`/documents/${id}`);
    const [, query = ''] = /href="[^"]*(\/knowledge\?document=[^"]*)"/.exec(text) ?? [];
    const list = await browser.open(plain(query));
    assert.match(list.text, /1 to 2 of 2/);
    const { uuid } = await entry(ids[0]);
    const { text: shown } = await browser.open(`/knowledge/${uuid}`);
    assert.ok(shown.includes(query), query);
  });

  it('turns single keys off and on, and stays at the draft', async () => {
    const { path, ids } = await ingest([[0], [1]]);
    const place = `${path}?draft=${ids[1]}`;
    for (const state of ['off', 'on']) {
      const { text } = await browser.open(place);
      const { to } = await browser.send(path, fieldsOf(text, 'keys'));
      assert.equal(pathOf(to), `${place}&done=saved`);
      assert.match((await browser.open(place)).text, new RegExp(`data-shortcuts="${state}"`));
    }
  });

  it('changes nothing of another batch', async () => {
    const one = await ingest([[0]]);
    const other = await ingest([[1]]);
    const foreign = { entry: String(other.ids[0]), version: '"1"' };
    const edit = { ...foreign, title: 'x', content: 'x', visibility: '' };
    for (const [name, form] of Object.entries({ accept: foreign, reject: foreign, save: edit })) {
      assert.equal((await browser.send(one.path, { do: name, ...form })).status, 404, name);
    }
    assert.equal((await entry(other.ids[0])).version, 1);
  });
});
