import assert from 'node:assert/strict';
import { nameFiles } from '../../../src/ingestion/bulk/name-files.js';
import { cleanFileName } from '../../../src/ingestion/upload/start-ingestion.js';

/** Files that were found below `/docs`. */
function found(...places: string[]) {
  return places.map((place) => ({
    path: `/docs/${place}`,
    name: place.split('/').join(' - '),
    folder: 'docs',
  }));
}

/** The stored names of these files. Fails if two are equal. */
function named(places: string[], known: [string, string][] = []): string[] {
  const names = nameFiles(found(...places), new Map(known));
  const kept = places.map((place) => cleanFileName(names.get(`/docs/${place}`) ?? ''));
  assert.equal(new Set(kept).size, places.length, kept.join('\n'));
  return kept;
}

describe('The stored name of a file', () => {
  it('is its path, or a unique hash and the end of a long path', () => {
    const deep = 'Operating instructions/'.repeat(15);
    const names = named(['a.pdf', `${deep}one.pdf`, `${deep}two.pdf`]);
    assert.equal(names[0], 'a.pdf');
    assert.match(names[1] ?? '', /^[0-9a-f]{12} - .*Operating instructions - one\.pdf$/);
    assert.ok(names.every((name) => name.length <= 255));
    assert.deepEqual(named([`${deep}two.pdf`]), names.slice(2), 'independent of the other files');
  });

  it('differs for files that differ only in characters that a name drops', () => {
    named(['\u00fc.pdf', 'u\u0308.pdf', 'a\\b.pdf', 'b.pdf', 'c\n.pdf', 'c.pdf', ' .pdf', '.pdf']);
    assert.equal(
      named(['\u00fc.pdf'])[0],
      named(['u\u0308.pdf'])[0],
      'both Unicode forms of one name',
    );
  });

  it('stays the known one, except for files that shared one name', () => {
    const files = ['a/index.pdf', 'b/index.pdf'];
    const known: [string, string][] = [
      ['/docs/a/index.pdf', 'index.pdf'],
      ['/docs/b/index.pdf', 'index.pdf'],
    ];
    assert.deepEqual(named(files, known), ['a - index.pdf', 'index.pdf']);
    assert.deepEqual(named(files, known.slice(0, 1)), ['index.pdf', 'b - index.pdf']);
  });
});
