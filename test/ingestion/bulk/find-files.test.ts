import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { findDocuments } from '../../../src/ingestion/bulk/find-files.js';
import { makeTemporaryFolder } from '../../support/temporary-folder.js';

describe('The files of an ingestion', () => {
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
  const at = (path: string) => join(folder.path, path);

  before(async () => {
    folder = await makeTemporaryFolder();
    const files = ['a.pdf', 'draft-b.PDF', 'notes.log', 'old/c.pdf', 'old/deep/d.pdf'];
    const hidden = ['.hidden.pdf', '.git/e.pdf', 'new/f [1].pdf'];
    for (const file of [...files, ...hidden]) {
      await mkdir(dirname(at(`docs/${file}`)), { recursive: true });
      await writeFile(at(`docs/${file}`), '');
    }
    await mkdir(at('empty'));
    await symlink('..', at('docs/old/round'));
    await symlink('itself', at('docs/itself'));
    await symlink('nowhere', at('docs/broken.pdf'));
    await symlink('nowhere', at('docs/broken.log'));
    await symlink('/nowhere', at('docs/old/unmounted'));
    await symlink('../a.pdf', at('docs/old/again.pdf'));
  });
  after(() => folder.remove());

  const find = async (names: string[], include: string[] = [], exclude: string[] = []) => {
    const found = await findDocuments(names.map(at), { include, exclude });
    return { ...found, paths: found.files.map(({ path }) => relative(at('docs'), path)).sort() };
  };
  const all = ['a.pdf', 'draft-b.PDF', 'new/f [1].pdf', 'old/c.pdf', 'old/deep/d.pdf'];

  it('are those of a folder and its subfolders, without hidden ones and with each link followed once', async () => {
    const { paths, folders, missing, unreadable } = await find(['docs', 'docs/old', 'empty']);
    assert.deepEqual(paths, all);
    assert.deepEqual(
      folders,
      ['docs', 'docs/old', 'empty'].map((name) => ({ path: at(name), isEmpty: name === 'empty' })),
    );
    assert.deepEqual(missing, [at('empty')]);
    const message = 'the file or folder behind the link is gone';
    const gone = ['docs/broken.pdf', 'docs/old/unmounted'];
    assert.deepEqual(
      unreadable,
      gone.map((link) => ({ path: at(link), message })),
    );
  });

  it('are regular files only, not links to a pipe or a device', async () => {
    await mkdir(at('special'));
    await promisify(execFile)('mkfifo', [at('special/pipe')]);
    for (const [end, name] of [
      ['pipe', 'pipe.pdf'],
      ['/dev/zero', 'zero.pdf'],
    ] as const) {
      await symlink(end, at(`special/${name}`));
    }
    const { files, missing } = await find(['special', 'special/*.pdf', 'special/pipe.pdf']);
    assert.deepEqual([files.length, missing.length], [0, 3]);
  });

  it('are none behind links that lead out of what is named, unless they are named themselves', async () => {
    await mkdir(at('open'));
    await writeFile(at('secret.md'), '');
    await symlink('../secret.md', at('open/link.md'));
    await symlink('../docs/old', at('open/folder'));
    const { files, outside, namesLeftOut } = await find(['open']);
    assert.deepEqual(files, []);
    assert.deepEqual(outside.map(({ path }) => relative(at('open'), path)).sort(), [
      'folder/again.pdf',
      'folder/c.pdf',
      'folder/deep/d.pdf',
      'link.md',
    ]);
    assert.match(outside[0]?.message ?? '', /leads out of the folder/);
    assert.ok(namesLeftOut.includes('link.md'));
    assert.deepEqual((await find(['open/*.md'])).files, []);
    const named = await find(['open', 'open/link.md', 'docs']);
    assert.deepEqual(named.outside, []);
    assert.deepEqual(named.paths, [...all, '../open/link.md'].sort());
  });

  it('are filtered by patterns of names, folders and paths below the named folder', async () => {
    const without = (...left: string[]) => all.filter((path) => !left.includes(path));
    const cases: [string[], string[], string[]][] = [
      [[], ['draft-*'], without('draft-b.PDF')],
      [[], ['old'], without('old/c.pdf', 'old/deep/d.pdf')],
      [[], ['old/deep/'], without('old/deep/d.pdf')],
      [[], ['deep/*'], all],
      // A link to a.pdf, which this pattern does not match by its own name.
      [['old'], [], ['old/again.pdf', 'old/c.pdf', 'old/deep/d.pdf']],
      [['./old/*', 'a.*'], ['d.pdf'], ['a.pdf', 'old/c.pdf']],
      [['**/*.pdf'], ['**/deep/**', 'f*'], ['a.pdf', 'old/c.pdf']],
    ];
    for (const [include, exclude, expected] of cases) {
      const { paths, leftOut } = await find(['docs'], include, exclude);
      assert.deepEqual(paths, expected, JSON.stringify([include, exclude]));
      const again = [...include, ...exclude].some((pattern) => pattern.startsWith('old')) ? 1 : 0;
      assert.ok(leftOut - (all.length - expected.length) <= again, String(leftOut));
    }
  });

  it('are not searched for in a folder with a line break in its name, which the result names', async function () {
    // Windows allows no such name.
    if (process.platform === 'win32') this.skip();
    await mkdir(at('broken/two\nlines'), { recursive: true });
    await writeFile(at('broken/two\nlines/a.pdf'), '');
    await writeFile(at('broken/two\nlines.pdf'), '');
    const found = await findDocuments([at('broken')], { include: [], exclude: [] });
    assert.deepEqual(
      found.files.map(({ path }) => path),
      [at('broken/two\nlines.pdf')],
    );
    assert.deepEqual(
      found.unreadable.map(({ path }) => path),
      [at('broken/two\nlines')],
    );
    assert.match(found.unreadable[0]?.message ?? '', /line break/);
  });

  it('are not searched for in the folders of the kernel, whose links lead in rounds', async function () {
    if (!existsSync('/proc/self')) this.skip();
    await mkdir(at('links'));
    await symlink('/proc', at('links/kernel'));
    const { unreadable } = await findDocuments([at('links')], { include: [], exclude: [] });
    assert.deepEqual(
      unreadable.map(({ path }) => path),
      ['/proc'],
    );
    const proc = await findDocuments(['/proc'], { include: [], exclude: [] });
    assert.match(proc.unreadable[0]?.message ?? '', /belongs to the kernel/);
  });

  it('are not searched for any more when the command is stopped', async () => {
    const choice = { include: [], exclude: [] };
    await assert.rejects(findDocuments([at('docs')], choice, AbortSignal.abort()));
  });

  it('include a file that is named itself, with any name, unless a pattern excludes it', async () => {
    const named = ['docs/notes.log', 'docs/.hidden.pdf', 'docs/new/f [1].pdf', 'docs/a.pdf'];
    assert.equal((await find(named)).files.length, 4);
    const { paths, leftOut } = await find(named, [], ['.*', 'a.pdf']);
    assert.deepEqual([paths, leftOut], [['new/f [1].pdf', 'notes.log'], 2]);
    assert.deepEqual((await find(['docs/gone.pdf'])).missing, [at('docs/gone.pdf')]);
  });

  it('are named by their path below the named folder, or below the fixed part of a pattern', async () => {
    const name = async (given: string) =>
      (await findDocuments([at(given)], { include: [], exclude: [] })).files.map((one) => one.name);
    assert.deepEqual(await name('docs/*/deep/d*'), ['old - deep - d.pdf']);
    assert.deepEqual(await name('docs/*/c.pdf'), ['old - c.pdf']);
    assert.deepEqual(await name('docs/old/c.pdf'), ['c.pdf']);
  });
});
