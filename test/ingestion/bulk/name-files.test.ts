import assert from 'node:assert/strict';
import { nameFiles } from '../../../src/ingestion/bulk/name-files.js';
import { cleanFileName } from '../../../src/ingestion/upload/start-ingestion.js';

/** Files as they are found below `/docs`. */
function found(...places: string[]) {
  return places.map((place) => ({
    path: `/docs/${place}`,
    name: place.split('/').join(' - '),
    folder: 'docs',
  }));
}

/** The names of these files as the product keeps them; none may be that of another. */
function named(places: string[], known: [string, string][] = []): string[] {
  const names = nameFiles(found(...places), new Map(known));
  const kept = places.map((place) => cleanFileName(names.get(`/docs/${place}`) ?? ''));
  assert.equal(new Set(kept).size, places.length, kept.join('\n'));
  return kept;
}

describe('What files are called in the product', () => {
  it('is their place, of files deep down its end, and never that of the file beside it', () => {
    const deep = 'Operating instructions/'.repeat(15);
    const names = named(['a.pdf', `${deep}one.pdf`, `${deep}two.pdf`]);
    assert.equal(names[0], 'a.pdf');
    assert.match(names[1] ?? '', /^[0-9a-f]{12} - .*Operating instructions - one\.pdf$/);
    assert.ok(names.every((name) => name.length <= 255));
    assert.deepEqual(named([`${deep}two.pdf`]), names.slice(2), 'whatever is ingested beside it');
  });

  it('differs where files differ only in what no name keeps', () => {
    named(['\u00fc.pdf', 'u\u0308.pdf', 'a\\b.pdf', 'b.pdf', 'c\n.pdf', 'c.pdf', ' .pdf', '.pdf']);
    assert.equal(
      named(['\u00fc.pdf'])[0],
      named(['u\u0308.pdf'])[0],
      'as one disk or another has it',
    );
  });

  it('is what it was, but for files that were ingested apart from each other under one name', () => {
    const files = ['a/index.pdf', 'b/index.pdf'];
    const known: [string, string][] = [
      ['/docs/a/index.pdf', 'index.pdf'],
      ['/docs/b/index.pdf', 'index.pdf'],
    ];
    assert.deepEqual(named(files, known), ['a - index.pdf', 'index.pdf']);
    assert.deepEqual(named(files, known.slice(0, 1)), ['index.pdf', 'b - index.pdf']);
  });
});
