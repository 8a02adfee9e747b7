import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { listChanges } from '../../../src/audit/list-changes.js';
import { createEntry } from '../../../src/knowledge/create-entry.js';
import { queryPage } from '../../../src/knowledge/query-page.js';
import { getEntry, listEntries, listHistory } from '../../../src/knowledge/read-entries.js';
import { exportEntries } from '../../../src/knowledge/transfer/export-entries.js';
import { importEntries } from '../../../src/knowledge/transfer/import-entries.js';
import type { Imported } from '../../../src/knowledge/transfer/imported.js';
import { parseMarkdown, renderMarkdown } from '../../../src/knowledge/transfer/markdown.js';
import { readSources, mostBytes, readLines } from '../../../src/knowledge/transfer/read-sources.js';
import { writeFolder } from '../../../src/knowledge/transfer/write-export.js';
import type { Actor } from '../../../src/platform/actor.js';
import { createApp } from '../../../src/tenancy/manage-apps.js';
import {
  addOrganization,
  openTestApp,
  type TestApp,
  type TestOrganization,
} from '../../support/test-app.js';
import { assertLinear } from '../../support/assert-linear.js';

describe('The transfer of knowledge', () => {
  let test: TestApp;
  let acme: TestOrganization;
  beforeEach(async () => {
    test = await openTestApp();
    acme = await addOrganization(test);
  });
  afterEach(() => test.close());

  interface Options {
    actor?: Actor;
    dryRun?: boolean;
    domain?: string;
    signal?: AbortSignal;
  }
  const from = async (name: string, stdin: AsyncIterable<Buffer>, options: Options = {}) => {
    const { actor = acme.operator, dryRun = false, ...rest } = options;
    const signal = new AbortController().signal;
    const all: Imported[] = [];
    const said = readSources(name, stdin);
    for await (const one of importEntries(test.app, actor, said, { signal, ...rest, dryRun })) {
      all.push(one);
    }
    return all;
  };
  const lines = (said: readonly unknown[], options?: Options) => {
    const text = said.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    return from('-', Readable.from([Buffer.from(text.join('\n'))]), options);
  };
  const actions = (all: Imported[]) => all.map(({ action }) => action);
  const hours = { id: 'opening-hours', title: 'Opening hours', content: 'We open at 9.' };
  const count = async () =>
    (await listEntries(test.app, acme.operator, { page: 1, limit: 1 })).total;

  it('imports only changes, with a history and an audit log', async () => {
    const own = { ...hours, domain: acme.domain, status: 'published' };
    const other = { ...own, id: 'refunds', title: 'Refunds' };
    assert.deepEqual(actions(await lines([own, other])), ['create', 'create']);
    const changed = { ...own, content: 'We open at 10.' };
    const again = await lines([changed, other]);
    assert.deepEqual(actions(again), ['update', 'unchanged']);
    const id = again[0]?.id ?? '';
    const entry = await getEntry(test.app, acme.operator, id);
    assert.deepEqual([entry.content, entry.version, entry.edited], ['We open at 10.', 2, true]);
    const page = { page: 1, limit: 9 };
    const history = await listHistory(test.app, acme.operator, { ...page, name: id });
    assert.deepEqual(
      history.items.map(({ content }) => content),
      ['We open at 9.'],
    );
    const log = await listChanges(test.app, acme.operator, { ...page, subject: `entry:${id}` });
    assert.deepEqual(
      log.items.map(({ action }) => action),
      ['entry.update', 'entry.create'],
    );
    const found = await queryPage(
      test.app,
      { kind: 'anonymous' },
      { url: `https://${acme.domain}/` },
    );
    assert.ok(found.entries.some(({ content }) => content === 'We open at 10.'));
  });

  it('keeps fields that a record omits, and clears fields that are null', async () => {
    const own = { ...hours, domain: acme.domain, url_pattern: '/a/*', visibility: 'internal' };
    const [made] = await lines([{ ...own, status: 'published' }]);
    await lines([{ id: hours.id, content: 'We open at 11.' }]);
    const kept = await getEntry(test.app, acme.operator, made?.id ?? '');
    assert.deepEqual(
      [kept.title, kept.urlPattern, kept.visibility, kept.status],
      ['Opening hours', '/a/*', 'internal', 'published'],
    );
    await lines([{ id: hours.id, content: 'We open at 11.', url_pattern: null }]);
    assert.equal((await getEntry(test.app, acme.operator, kept.uuid)).urlPattern, null);
  });

  it('reports the changes of a dry run without making them', async () => {
    const own = { ...hours, domain: acme.domain, view: '/hours' };
    assert.deepEqual(actions(await lines([own, { ...own, id: 'b' }], { dryRun: true })), [
      ...['create', 'create'],
    ]);
    assert.equal(await count(), 0);
    await lines([own]);
    const tried = await lines([{ ...own, title: 'Hours' }, own], { dryRun: true });
    assert.deepEqual(actions(tried), ['update', 'failed']);
    assert.equal((await getEntry(test.app, acme.operator, tried[0]?.id ?? '')).version, 1);
  });

  it('reports the error of a line, and continues with the next line', async () => {
    await addOrganization(test, 'Globex');
    const own = { ...hours, domain: acme.domain };
    const all = await lines([
      '\ufeff' + JSON.stringify(own) + '\r',
      '{"title": "half',
      '',
      { ...own, id: 'x', titel: 'T' },
      { ...own, id: 'y', visibility: 'intern' },
      { ...own, id: 'z', domain: 'globex.example' },
      { ...own, id: 'v', domain: 'nobody.example', view: '/a' },
      { ...own, title: 'The same again' },
      { ...own, id: 'n', content: 'a\u0000b' },
      '[1]',
      { id: 'no title', content: 'x' },
      { ...own, id: 'a', domain: null, app: 'Website' },
      { ...own, id: 'p', url_pattern: 'docs' },
      { ...own, id: 'last' },
    ]);
    const refused = new Map(all.map(({ line, error }) => [line, error?.message ?? '']));
    assert.match(String(refused.get(2)), /no JSON/);
    assert.equal(refused.get(4), 'titel: unknown key; did you mean title?');
    assert.match(String(refused.get(5)), /visibility: .*did you mean internal\?/);
    assert.match(String(refused.get(6)), /another organization/);
    assert.match(String(refused.get(7)), /view: no app claims nobody\.example/);
    assert.match(String(refused.get(8)), /"opening-hours" was there before/);
    assert.match(String(refused.get(9)), /content: .*character/);
    assert.match(String(refused.get(10)), /expected an object/);
    assert.match(String(refused.get(11)), /title: missing/);
    assert.match(String(refused.get(13)), /must begin with \//);
    const good = all.filter(({ action }) => action === 'create').map(({ line }) => line);
    assert.deepEqual(
      good.toSorted((a, b) => (a ?? 0) - (b ?? 0)),
      [1, 12, 14],
    );
    assert.equal(await count(), 3);
  });

  it('keeps a defaulted visibility of the source as a chosen one, whatever the default is here', async () => {
    const [defaulted] = await lines([
      { ...hours, domain: acme.domain, visibility: 'internal', visibility_defaulted: true },
    ]);
    const entry = await getEntry(test.app, acme.operator, defaulted?.id ?? '');
    assert.deepEqual([entry.visibility, entry.visibilityDefaulted], ['internal', false]);
  });

  it('finds an app by its name, and otherwise recommends --app', async () => {
    const shop = await createApp(test.app, acme.operator, { name: 'Shop' });
    const [named, unknown] = await lines([
      { ...hours, domain: null, app: 'Shop' },
      { ...hours, id: 'other', domain: null, app: 'Elsewhere' },
    ]);
    assert.equal((await getEntry(test.app, acme.operator, named?.id ?? '')).appId, shop.id);
    assert.match(unknown?.error?.message ?? '', /no app "Elsewhere" here; --app/);
  });

  it('requires the right to write knowledge, and keeps organizations apart', async () => {
    const user = { kind: 'user', organizationId: acme.operator.organizationId, userId: 1 } as const;
    await assert.rejects(lines([hours], { actor: { ...user, role: 'user' } }), {
      code: 'forbidden',
    });
    await assert.rejects(exportEntries(test.app, { ...user, role: 'user' }, {}).next(), {
      code: 'forbidden',
    });
    const globex = await addOrganization(test, 'Globex');
    const theirs = await createEntry(test.app, globex.operator, {
      ...{ title: 'Theirs', content: 'Secret.', domain: globex.domain },
    });
    const mine = { id: theirs.uuid, title: 'Mine', content: 'Ours.', domain: acme.domain };
    const [made] = await lines([mine]);
    assert.equal(made?.action, 'create');
    assert.notEqual(made.id, theirs.uuid);
    assert.equal((await getEntry(test.app, globex.operator, theirs.uuid)).title, 'Theirs');
    assert.deepEqual(actions(await lines([mine])), ['unchanged']);
    for await (const { title } of exportEntries(test.app, acme.operator, {})) {
      assert.equal(title, 'Mine');
    }
  });

  it('stops after a part of the records when it is interrupted, and continues when it runs again', async () => {
    const many = Array.from({ length: 250 }, (_, index) => ({
      ...{ ...hours, id: `n${index}`, domain: acme.domain },
    }));
    const controller = new AbortController();
    controller.abort();
    assert.equal((await lines(many, { signal: controller.signal })).length, 100);
    const rest = await lines(many);
    assert.equal(rest.filter(({ action }) => action === 'create').length, 150);
    assert.equal(await count(), 250);
  });

  it('imports a folder of handwritten Markdown files, and follows no symbolic links', async () => {
    const folder = join(test.folder, 'docs');
    await mkdir(join(folder, 'deep'), { recursive: true });
    await writeFile(join(test.folder, 'secret.md'), '# Secret\n\nOutside.\n');
    await symlink(join(test.folder, 'secret.md'), join(folder, 'link.md'));
    await writeFile(join(folder, 'deep', 'hours.md'), '\ufeff# Hours\r\n\r\nWe open at 9.\r\n');
    await writeFile(join(folder, 'fees.md'), '---\ntitle: Fees\nstatus: published\n---\nNone.\n');
    await writeFile(join(folder, 'bad.md'), Buffer.from([0x23, 0x20, 0xff, 0xfe]));
    await writeFile(join(folder, 'huge.md'), Buffer.alloc(mostBytes + 1, 'a'));
    const options = { domain: acme.domain };
    const all = await from(folder, Readable.from([]), options);
    assert.deepEqual(
      all.map(({ source, action, error }) => [
        source.slice(folder.length + 1),
        action,
        error?.message,
      ]),
      [
        ['bad.md', 'failed', 'is not written in UTF-8'],
        ['huge.md', 'failed', 'is longer than 4 MB'],
        [join('deep', 'hours.md'), 'create', undefined],
        ['fees.md', 'create', undefined],
      ],
    );
    const id = all[2]?.id ?? '';
    const { title, content, domain } = await getEntry(test.app, acme.operator, id);
    assert.deepEqual([title, content, domain], ['Hours', 'We open at 9.', acme.domain]);
    const again = await from(folder, Readable.from([]), options);
    assert.deepEqual(actions(again).slice(2), ['unchanged', 'unchanged']);
    await assert.rejects(from(join(test.folder, 'none'), Readable.from([])), { code: 'not_found' });
  });

  it('exports an entry to its existing file after a change of title, and follows no symbolic links', async () => {
    const folder = join(test.folder, 'out');
    const records = () => exportEntries(test.app, acme.operator, {});
    const { organizationId } = acme.operator;
    const [made] = await lines([{ ...hours, title: '../../Öffnung/..', domain: acme.domain }]);
    await writeFolder(records(), folder, { prune: false, organizationId });
    const [name = ''] = await readdir(folder);
    assert.equal(name, `offnung.${made?.id ?? ''}.md`);
    await lines([
      { ...hours, title: 'Hours', domain: acme.domain },
      { ...hours, id: 'b', domain: acme.domain },
    ]);
    await writeFile(join(test.folder, 'target'), 'mine');
    const gone = '0b5c0d6e-6f0f-4a54-9e0a-0d3b9a4f3c11';
    await symlink(join(test.folder, 'target'), join(folder, `old.${gone}.md`));
    const kept = await writeFolder(records(), folder, { prune: false, organizationId });
    assert.deepEqual(kept, { entries: 2, stale: 1, pruned: false });
    assert.match(await readFile(join(folder, name), 'utf8'), /^title: Hours$/m);
    await writeFolder(records(), folder, { prune: true, organizationId });
    assert.equal((await readdir(folder)).length, 2);
    assert.equal(await readFile(join(test.folder, 'target'), 'utf8'), 'mine');
  });

  it('counts a second file of an exported entry as stale, and removes it when pruning', async () => {
    const { operator, domain } = await addOrganization(test, 'Copied');
    await createEntry(test.app, operator, { title: 'Fees', content: 'None.', domain });
    const folder = join(test.folder, 'copied');
    const write = (prune: boolean) =>
      writeFolder(exportEntries(test.app, operator, {}), folder, { prune, ...operator });
    await write(false);
    const [name = ''] = await readdir(folder);
    await writeFile(join(folder, `old.${name}`), 'an old copy');
    assert.equal((await write(false)).stale, 1);
    assert.deepEqual(await write(true), { entries: 1, stale: 1, pruned: true });
    assert.deepEqual(await readdir(folder), [name]);
  });
});

describe('A Markdown file', () => {
  it('is refused if its front matter is invalid, too large or unfinished, or if it has no content', () => {
    const bomb = 'a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a]\ntitle: *b';
    const cases: [string, RegExp][] = [
      [`---\n${bomb}\n---\nx`, /front matter can't be read/],
      [`---\ntitle: ${'['.repeat(60_000)}\n---\nx`, /front matter can't be read/],
      [`---\ntitle: ${'x'.repeat(70_000)}\n---\nx`, /longer than/],
      ['---\ntitle: x\nx', /has no end/],
      ['---\n- a\n---\nx', /has no fields/],
      ['---\ntitle: a\ntitle: b\n---\nx', /front matter can't be read/],
      ['---\ntitle: a\n__proto__: {a: 1}\n---\nx', /unknown key/],
      ['---\ntitle: 2024\n---\nx', /title: got 2024; expected a string/],
      ['---\nvisibilty: public\n---\nx', /visibilty: unknown key; did you mean visibility\?/],
      ['---\ntitle: x\n---\n \n', /content/],
      ['', /content/],
    ];
    for (const [text, message] of cases) {
      assert.throws(
        () => parseMarkdown(text),
        { code: 'invalid_request', message },
        text.slice(0, 60),
      );
    }
  });

  it('is read in linear time, however long its first line is', () => {
    // A pattern with backtracking took a quarter of an hour.
    const lines = [
      (size: number) => `# ${'#'.repeat(size)}${' '.repeat(size)}x`,
      (size: number) => `# ${' #'.repeat(size)}`,
    ];
    for (const line of lines) {
      assert.throws(() => parseMarkdown(line(1e6)), { code: 'invalid_request' });
      assertLinear((size) => {
        try {
          parseMarkdown(line(size));
        } catch {
          // Only the time matters here, whether or not the line is refused.
        }
      }, 1e6);
    }
  });

  it('keeps every character of a text, whatever YAML, patterns or editors treat as a line end', () => {
    const odd = [
      '"',
      '\u2028',
      '\u2029',
      '\u0085',
      '\ufeff',
      ' ',
      '\n',
      '\r',
      '---',
      'content: "x"',
      'a',
    ];
    for (const first of odd) {
      for (const second of odd) {
        for (const third of odd) {
          const content = `x${first}${second}${third}`;
          const record = { id: 'a', title: `${first}x${second}${third}x`, content };
          assert.deepEqual(parseMarkdown(renderMarkdown(record)), record, JSON.stringify(content));
        }
      }
    }
  });

  it('has its heading as its title if the front matter is missing', () => {
    assert.deepEqual(parseMarkdown('\n# Fees and *more* #\n\nNone.\n\n# Other\n'), {
      title: 'Fees and *more*',
      content: 'None.\n\n# Other',
    });
  });
});

describe('The reader of lines', () => {
  it('refuses a line over the limit, and numbers the following lines correctly', async () => {
    const long = Array.from({ length: 9 }, () => Buffer.alloc(mostBytes / 8, 'a'));
    const stream = Readable.from([
      Buffer.from('one\n\n'),
      ...long,
      Buffer.from('\nfo'),
      Buffer.from('ur'),
    ]);
    const read: [number, string][] = [];
    for await (const { number, text } of readLines(stream)) {
      try {
        read.push([number, text()]);
      } catch (error) {
        read.push([number, (error as Error).message]);
      }
    }
    assert.deepEqual(read, [
      [1, 'one'],
      [3, 'is longer than 4 MB'],
      [4, 'four'],
    ]);
  });

  it('stops at a line that belongs to no file of entries, and says so', async () => {
    let pieces = 0;
    async function* endless() {
      yield await Promise.resolve(Buffer.from('one\ntwo\n'));
      for (;;) {
        pieces += 1;
        yield Buffer.alloc(mostBytes, 'a');
      }
    }
    const read: string[] = [];
    for await (const { number, text } of readLines(endless())) {
      if (number < 3) read.push(text());
      else
        assert.throws(
          text,
          /^AppError: is longer than 64 MB\. Reading stopped there, after 2 lines$/,
        );
    }
    assert.deepEqual(read, ['one', 'two']);
    assert.equal(pieces, 17);
  });
});
