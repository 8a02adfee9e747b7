import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/package-root.js';
import { docx, odt, p } from '../documents/read.js';
import { readFixture } from '../pdf/build-pdf.js';
import {
  makeInitialized,
  startHost,
  type Host,
  type TestInstallation,
} from '../support/run-cli.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { addOrganization, addUser, serveTestApp } from '../support/test-app.js';
import { manualOf, sampleLines, sampleManual } from '../support/sample-manual.js';

interface Report {
  files: {
    file: string;
    outcome: string;
    batch_id: string | null;
    entries: number;
    approved: number;
    error: { code: string } | null;
  }[];
  summary: Record<string, number>;
}

describe('assistant ingest', () => {
  let installation: TestInstallation;
  let host: Host;
  beforeEach(async () => {
    installation = await makeInitialized();
    host = startHost(installation);
  });
  afterEach(async () => {
    await host.stop();
    await installation.remove();
  });

  const write = (name: string, bytes: Uint8Array | string) =>
    writeFile(join(installation.folder, name), bytes);

  it('ingests folders, files and patterns, continues after bad files, and skips unchanged ones', async () => {
    await mkdir(join(installation.folder, 'docs', 'deep'), { recursive: true });
    await write('docs/good.pdf', await sampleManual(3));
    await write('docs/deep/other.PDF', await sampleManual(2, 'fan'));
    await write('docs/page.pdf', '<html>no PDF</html>');
    await write('docs/empty.pdf', '');
    await write('docs/scan.pdf', await readFixture('images-only.pdf'));
    await write('docs/locked.pdf', await readFixture('password.pdf'));
    await write(
      'docs/cut.pdf',
      (await readFixture('linuxcnc-integrator.es.pdf')).subarray(0, 50_000),
    );
    await write('docs/readme.log', 'not looked at');
    const args = ['ingest', 'docs', 'docs/*.pdf', '--domain', 'docs.acme.example', '--approve'];
    const first = await host.json<Report>(args);
    const outcomes = Object.fromEntries(
      first.files.map((file) => [file.file, file.error?.code ?? file.outcome]),
    );
    assert.deepEqual(outcomes, {
      'docs/good.pdf': 'ingested',
      'docs/deep/other.PDF': 'ingested',
      'docs/page.pdf': 'not_a_pdf',
      'docs/empty.pdf': 'not_a_pdf',
      'docs/scan.pdf': 'no_extractable_text',
      'docs/locked.pdf': 'encrypted',
      'docs/cut.pdf': 'damaged',
    });
    assert.equal(first.files.find(({ file }) => file === 'docs/good.pdf')?.approved, 3);

    const again = await host.run(args);
    assert.equal(again.code, 5);
    assert.match(again.stdout, /^unchanged {2}docs\/good\.pdf: 3 pages, 3 entries/m);
    assert.match(
      again.stderr,
      /7 files, 2 unchanged, 5 failed \(1 damaged, 1 encrypted, 1 no_extractable_text, 2 not_a_pdf\)/,
    );
    assert.ok(!again.stderr.includes('\r'), 'no progress bar without a terminal');
    const { pagination } = await host.json<{ pagination: { total: number } }>([
      'knowledge',
      'list',
    ]);
    assert.equal(pagination.total, 5);
  });

  it('skips pages of a folder without text of their own, and refuses one that is named alone', async () => {
    await mkdir(join(installation.folder, 'docs'));
    await write('docs/index.md', '# Manuals');
    await write('docs/pump.md', '# Pump\n\nThe pump needs oil every six months.');
    await write('docs/all.html', '<title>All</title><nav><a href="pump.html">Pump</a></nav>');
    const first = await host.json<Report>(['ingest', 'docs']);
    const outcomes = first.files.map(({ file, outcome, error }) => [file, outcome, error]);
    assert.deepEqual(outcomes.sort(), [
      ['docs/all.html', 'skipped', null],
      ['docs/index.md', 'skipped', null],
      ['docs/pump.md', 'ingested', null],
    ]);
    for (const more of [[], ['--dry-run']]) {
      const again = await host.run(['ingest', 'docs', ...more]);
      assert.equal(again.code, 0);
      assert.match(again.stdout, /^skipped {4}docs\/index\.md: it has no text of its own/m);
      assert.match(again.stderr, /3 files, 1 unchanged, 2 skipped, 0 failed/);
    }
    const alone = await host.run(['ingest', 'docs/index.md']);
    assert.equal(alone.code, 1);
    assert.match(alone.stdout, /no_extractable_text/);
    assert.equal((await host.run(['ingest', 'docs/index.md', 'docs/all.html'])).code, 0);
    // A page that had text before is a failure: answers may still cite it.
    await write('docs/pump.md', '# Pump');
    for (let round = 0; round < 2; round++) {
      const lost = await host.run(['ingest', 'docs']);
      assert.equal(lost.code, 5);
      assert.match(lost.stdout, /^failed {5}docs\/pump\.md: no_extractable_text/m);
    }
  });

  it('ingests all kinds of documents of a folder, and removes those whose files are gone', async () => {
    await mkdir(join(installation.folder, 'all', 'other'), { recursive: true });
    const warranty = (months: string) =>
      `---\ntitle: Router\nlang: en\n---\n# Router\n\n## Warranty\n\nThe warranty of the router covers repairs for ${months} months.\n\n## Reset\n\nHold the red button of the router for ten seconds.\n`;
    await write('all/router.md', warranty('thirty'));
    await write(
      'all/pump.html',
      '<html><nav>Shop</nav><main><h1>Pump</h1><p>The pump needs oil every six months.</main>',
    );
    await write('all/note.txt', 'The office in Bonn opens at seven.');
    await write(
      'all/plan.docx',
      docx(p('Plan', 'berschrift1') + p('The lamp of the plan is green.')),
    );
    await write(
      'all/list.odt',
      odt('<text:h>List</text:h><text:p>The list has nine rows.</text:p>'),
    );
    await write('all/wrong.docx', '<html>Sign in</html>');
    await write('all/other/picture.png', 'PNG');
    const args = ['ingest', 'all', '--source', 'all', '--domain', 'docs.acme.example', '--approve'];
    const { files } = await host.json<Report>(args);
    assert.deepEqual(
      Object.fromEntries(files.map(({ file, outcome, error }) => [file, error?.code ?? outcome])),
      {
        'all/router.md': 'ingested',
        'all/pump.html': 'ingested',
        'all/note.txt': 'ingested',
        'all/plan.docx': 'ingested',
        'all/list.odt': 'ingested',
        'all/wrong.docx': 'unsupported_kind',
      },
    );
    const ask = async (question: string) => (await host.run(['ask', question])).stdout;
    const answer = await ask('How long does the warranty of the router cover repairs?');
    assert.match(answer, /thirty months[^]*\[1\] Router, router\.md$/m);

    await write('all/router.md', warranty('sixty'));
    await rm(join(installation.folder, 'all', 'pump.html'));
    const second = await host.run([
      ...args.filter((arg) => arg !== '--approve'),
      '--prune',
      '--yes',
    ]);
    assert.match(
      second.stdout,
      /router\.md: 1 page, \d entr(?:y|ies) \(\d unchanged, 1 changed, 0 new, 0 gone\)/,
    );
    assert.match(second.stdout, /pump\.html/);

    const nothing = await host.run(['ingest', 'all/other']);
    assert.equal(nothing.code, 3);
    assert.match(nothing.stderr, /The file there is of other kinds\. These are read: PDF, Word/);
  });

  it('shows the changes of a new version, which can be approved with its deletions', async () => {
    interface Batch {
      diff: object;
      entries: { id: number; replaces: number | null }[];
      gone: { id: number; title: string; pages: string }[];
    }
    const text = (number: number, last = '') => ({
      title: ['Cleaning pumps', 'Warming rooms', 'Printing labels'][number] ?? '',
      lines: [...sampleLines(number, `thing${number}`).slice(1), last || `And so on${number}.`],
    });
    const args = ['ingest', 'm.pdf', '--domain', 'docs.acme.example'];
    await write('m.pdf', await manualOf([text(0), text(1), text(2)]));
    await host.run([...args, '--approve']);
    await write('m.pdf', await manualOf([text(0), text(1, 'The lid is blue.')]));
    const { stdout, stderr } = await host.run(args);
    assert.match(stdout, /2 pages, 1 entry \(1 unchanged, 1 changed, 0 new, 1 gone\)/);
    const id = /batch (\S+)/.exec(stdout)?.[1] ?? '';
    assert.match(stderr, /Drafts of 1 document wait: .*batches review \S+, or .*approve \S+ --all/);
    const shown = await host.run(['batches', 'show', id]);
    assert.match(shown.stdout, /1 unchanged, 1 changed, 0 new, 1 gone/);
    assert.match(shown.stdout, /replaces/);
    assert.match(shown.stdout, /gone \(delete with .*--delete-gone\)\n[^]*\n3 +3 +Printing labels/);
    const batch = await host.json<Batch>(['batches', 'show', id]);
    assert.deepEqual(batch.diff, { unchanged: 1, changed: 1, new: 0, gone: 1 });
    assert.deepEqual(
      batch.entries.map((entry) => entry.replaces),
      [2],
    );
    assert.deepEqual(
      batch.gone.map((entry) => [entry.id, entry.pages]),
      [[3, '3']],
    );
    const approve = ['batches', 'approve', id, '--all', '--delete-gone'];
    assert.equal((await host.run(approve)).code, 2, 'without a terminal it requires --yes');
    assert.deepEqual(await host.json([...approve, '--yes']), {
      ...{ success: true, approved: 1, deleted: 1 },
    });
    const left = await host.json<{ data: { number: number }[] }>(['knowledge', 'list']);
    assert.deepEqual(
      left.data.map((entry) => entry.number),
      [1, 2],
    );
  });

  it('replaces a text in all drafts of a batch, and says first what that would be', async () => {
    await write('m.pdf', await sampleManual(3));
    await host.run(['ingest', 'm.pdf', '--domain', 'docs.acme.example']);
    const replace = ['batches', 'replace', 'm.pdf', 'setting', 'level'];
    const dry = await host.run([...replace, '--dry-run']);
    assert.match(dry.stdout, /\(dry run\) Changed 3 of 3 drafts\./);
    const done = { success: true, replaced: 3, refused: [], published: 0 };
    assert.deepEqual(await host.json(replace), done);
    assert.deepEqual(await host.json(replace), { ...done, replaced: 0 });
    const back = ['batches', 'replace', 'm.pdf', 'level', 'setting'];
    assert.deepEqual(await host.json(back), done);
    const { entries } = await host.json<{ entries: { id: number }[] }>([
      'batches',
      'show',
      'm.pdf',
    ]);
    const [first, second, third] = entries.map(({ id }) => String(id));
    await host.run(['batches', 'approve', 'm.pdf', first ?? '']);
    const one = await host.run([...replace, '--entry', second ?? '', '--entry', first ?? '']);
    assert.match(one.stdout, /Changed 1 of 2 drafts\./);
    assert.match(one.stderr, /stays as it is: There is no open draft \d+ in this batch/);
    assert.match(one.stderr, /1 published entry of the document also has this text/);
    const rest = { ...done, replaced: 1, published: 1 };
    assert.deepEqual(await host.json([...replace, '--entry', third ?? '']), rest);
  });

  it('exits with 0 if every file succeeds, and with 1 if none does', async () => {
    await write('good.pdf', await sampleManual(1));
    await write('bad.pdf', 'no');
    assert.equal((await host.run(['ingest', 'good.pdf'])).code, 0);
    assert.equal((await host.run(['ingest', 'good.pdf', '--force'])).code, 0);
    assert.equal((await host.run(['ingest', 'bad.pdf'])).code, 1);
    const { pagination } = await host.json<{ pagination: { total: number } }>(['batches', 'list']);
    assert.equal(pagination.total, 2);
  });

  it('refuses an empty name, such as an unset variable of a script, before it reads anything', async () => {
    await write('good.pdf', await sampleManual(1));
    const refused = await host.run(['ingest', 'good.pdf', '']);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stderr,
      /The name of a file is empty\. Name a file, a folder or a pattern\./,
    );
    const { pagination } = await host.json<{ pagination: { total: number } }>(['batches', 'list']);
    assert.equal(pagination.total, 0);
  });

  it('refuses limits of a website for files', async () => {
    const refused = await host.run(['ingest', '.', '--depth', '2']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /are for a website: name its address/);
  });

  it('ingests a PDF from a pipe, and requires a name for it', async () => {
    const input = await sampleManual(1);
    const args = ['ingest', '-', '--name', 'report.pdf'];
    assert.match(
      (await installation.run(args, { input })).stdout,
      /^ingested {3}report\.pdf: 1 page,/,
    );
    assert.match((await installation.run(args, { input })).stdout, /^unchanged {2}report\.pdf/);
    const wrong: [string[], RegExp][] = [
      [['-'], /give --name/],
      [['docs', '--name', 'x.pdf'], /name - as the file/],
      [['-', '-', '--name', 'x.pdf'], /only once/],
    ];
    for (const [words, message] of wrong) {
      const { code, stderr } = await host.run(['ingest', ...words]);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });

  it('ingests into a server from a folder without an installation, and never prints the token', async () => {
    const test = await serveTestApp({ ingestion: { worker: true, poll_ms: 50 } });
    const folder = await makeTemporaryFolder();
    const far = startHost({ folder: folder.path });
    try {
      const acme = await addOrganization(test);
      const { token } = await addUser(test, acme, 'backoffice');
      await writeFile(join(folder.path, 'a.pdf'), await sampleManual(2));
      await writeFile(join(folder.path, 'bad.pdf'), 'no');
      await writeFile(join(folder.path, 'token'), `${token}\n`, { mode: 0o644 });
      const args = ['ingest', '.', '--server', test.url, '--token-file', 'token', '--approve'];
      const first = await far.run(args);
      assert.equal(first.code, 5, first.stderr);
      assert.match(first.stdout, /^failed {5}bad\.pdf: not_a_pdf/m);
      assert.match(first.stdout, /^ingested {3}a\.pdf: 2 pages, 2 entries, 2 approved, batch/m);
      assert.match(first.stderr, /Others on this machine may read token: chmod 600/);
      const { summary } = await far.json<Report>(args);
      assert.deepEqual([summary['unchanged'], summary['failed']], [1, 1]);
      await writeFile(join(folder.path, 'wrong'), 'no-such-token\n', { mode: 0o600 });
      const wrong: [string[], number, RegExp][] = [
        [[...args.slice(0, 5), 'wrong'], 4, /token in wrong: .* assistant tokens create/],
        [[...args.slice(0, 5), 'bad.pdf', '--org', 'acme'], 2, /the token says which/],
        [args.slice(0, 4), 2, /--token-file/],
        [['ingest', '.', '--server', 'x', '--token-file', 'token'], 2, /expected an address/],
        [['ingest', '.', '--token-file', 'token'], 2, /--server/],
      ];
      let output = first.stdout + first.stderr;
      for (const [words, expected, message] of wrong) {
        const { code, stdout, stderr } = await far.run(words);
        assert.deepEqual([code, stdout], [expected, ''], words.join(' '));
        assert.match(stderr, message);
        output += stderr;
      }
      assert.ok(!output.includes(token) && !output.includes('no-such-token'));
    } finally {
      await far.stop();
      await folder.remove();
      await test.close();
    }
  });

  it('lets only approved entries answer questions, with their pages', async () => {
    const manual = join(packageRoot(), 'docs', 'manual', 'assistant-manual.pdf');
    await copyFile(manual, join(installation.folder, 'manual.pdf'));
    const ask = (question: string) =>
      host.json<{
        response: string;
        found: boolean;
        sources: { pages: { from: number } }[];
      }>(['ask', question]);
    const question = 'How long is an access token valid?';
    await host.run(['ingest', 'manual.pdf']);
    assert.equal((await ask(question)).found, false, 'drafts answer nothing');
    await host.run(['ingest', 'manual.pdf', '--approve']);
    const answer = await ask(question);
    assert.match(answer.response, /^An access token is valid for 15 minutes by default.*\[1\]/);
    assert.equal(answer.sources[0]?.pages.from, 19);
    const refusal = await ask('Wie viele Urlaubstage stehen mir im Jahr zu?');
    assert.equal(refusal.found, false);
    assert.match(refusal.response, /keine Antwort/);
    assert.deepEqual(refusal.sources, []);
    const ways = [
      'How can I install the product?',
      '¿Cómo puedo instalar el producto?',
      'Wie kann ich das Produkt installieren?',
    ];
    const interactive = await installation.run(['ask', '--interactive', '--json'], {
      input: [question, '¿Cuántas veces se intenta procesar un lote?', ...ways, ''].join('\n'),
    });
    const lines = interactive.stdout
      .trim()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as Record<'conversationId' | 'language' | 'response', string>,
      );
    assert.deepEqual(
      lines.map((line) => line.language),
      ['en', 'es', 'en', 'es', 'de'],
    );
    assert.equal(lines[0]?.conversationId, lines[1]?.conversationId);
    for (const { response } of lines.slice(-ways.length)) {
      assert.match(
        response,
        /npm ci[^]*assistant\.js init[^]*\[1\]$/,
        'the steps of the installation',
      );
    }
  });
});
