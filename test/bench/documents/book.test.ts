import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocuments } from '../../../bench/documents/documents.js';
import { writeBook } from '../../../bench/documents/write-book.js';
import { packageRoot } from '../../../src/platform/package-root.js';
import { findProgram } from '../../browser/support/find-program.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

function run(args: readonly string[], env = process.env) {
  const file = join(packageRoot(), 'dist', 'bench', 'documents', 'eval-documents.js');
  return spawnSync(process.execPath, [file, ...args], { encoding: 'utf8', env });
}

/** An environment in which no program of the system is found. */
const bare = { PATH: '/nonexistent' };

describe('The book of drafts', () => {
  before(() => {
    findProgram({
      name: 'pdftoppm',
      variable: 'ASSISTANT_TEST_PDFTOPPM',
      paths: ['pdftoppm'],
      asked: '-v',
      answers: /pdftoppm version/,
      packages: ['poppler-utils'],
    });
  });

  it('shows each draft beside its pages, once each, and a document cannot put HTML into it', async () => {
    const folder = await makeTemporaryFolder();
    try {
      const path = join(folder.path, 'book.html');
      const draft = {
        path: join(packageRoot(), 'test', 'fixtures', 'pdf', 'latex-outline.pdf'),
        file: 'latex-outline.pdf',
        sha256: 'a',
        format: 'pdf' as const,
        kind: 'other',
        set: 'development',
        title: '</script><b>',
        content: 'Text <img src=x onerror=alert(1)> [link](javascript:alert(1)) ![p](file:///x)',
        pageFrom: 1,
        pageTo: 2,
        hash: 'b',
      };
      const notes = {
        path: join(folder.path, 'notes.md'),
        file: 'notes.md',
        format: 'markdown' as const,
        content: 'Copy the files to another disk.',
      };
      await writeFile(notes.path, `# Notes\n\n## Backup\n\n${notes.content}\n`);
      await writeBook(
        [
          { draft, before: [] },
          { draft: { ...draft, pageFrom: 2 }, before: [] },
          { draft: { ...draft, ...notes }, before: [] },
        ],
        path,
      );
      const html = await readFile(path, 'utf8');
      const data = /<script id="data"[^>]*>(.*)<\/script>/.exec(html)?.[1] ?? '';
      const { drafts, pages, texts } = JSON.parse(data) as {
        drafts: { html: string; images: string[]; facts: { title: string }; line: number | null }[];
        pages: Record<string, string>;
        texts: Record<string, string>;
      };
      assert.deepEqual(
        drafts.map(({ images }) => images.length),
        [2, 1, 0],
      );
      assert.deepEqual(
        drafts.map(({ line }) => line),
        [null, null, 4],
      );
      assert.match(texts['notes.md'] ?? '', /^# Notes/);
      assert.equal(Object.keys(pages).length, 2);
      for (const page of Object.values(pages))
        assert.match(page, /^data:image\/jpeg;base64,.{999}/);
      assert.ok(drafts[0]);
      assert.equal(drafts[0].facts.title, draft.title);
      assert.doesNotMatch(drafts[0].html, /<(?!\/?p>)/);
    } finally {
      await folder.remove();
    }
  });

  it('says what is missing, if it cannot draw pages', async () => {
    const folder = await makeTemporaryFolder();
    try {
      const book = join(folder.path, 'book.html');
      const pdfs = join(packageRoot(), 'test', 'fixtures', 'pdf');
      const { status, stderr } = run(['--documents', pdfs, '--book', book], bare);
      assert.equal(status, 1);
      assert.match(stderr, /^pdftoppm is missing.*Install the package poppler-utils/);
    } finally {
      await folder.remove();
    }
  });

  it('refuses its options without --book, and a sample that is no number', () => {
    assert.equal(run(['--sample', '5']).status, 2);
    const { status, stderr } = run(['--book', 'x.html', '--sample', 'few']);
    assert.equal(status, 2);
    assert.match(stderr, /--sample: "few" is no number/);
  });
});

describe('npm run eval:documents', () => {
  it('says what is missing, if there is no apt', () => {
    const { status, stderr } = run(['--fetch', 'folder-that-is-not-made'], bare);
    assert.equal(status, 1);
    assert.match(stderr, /^apt-get is missing/);
  });

  it('asks for folders, and for a set and a kind that exist', () => {
    assert.match(run([]).stderr, /Name the folders: --documents/);
    for (const [option, sentence] of [
      ['--set', /there is no set other; use development or held-out/],
      ['--kind', /there is no kind other; use software or/],
    ] as const) {
      const { status, stderr } = run(['--fetch', 'folder', option, 'other']);
      assert.equal(status, 2);
      assert.match(stderr, sentence);
    }
  });

  it('lists each document once, in one set', async () => {
    const documents = await readDocuments();
    for (const key of ['file', 'sha256'] as const) {
      assert.equal(new Set(documents.map((document) => document[key])).size, documents.length);
    }
    const heldOut = documents.filter(({ set }) => set === 'held-out');
    for (const kind of ['docx', 'odt', 'markdown', 'html', 'text']) {
      assert.ok(heldOut.some((document) => document.kind === kind));
    }
  });
});
