import assert from 'node:assert/strict';
import { compareSpecificity, normalizePattern } from '../../src/knowledge/match-pattern.js';
import { matchesPattern } from '../../src/search/passages/place.js';
import { normalizePath } from '../../src/tenancy/page-address.js';

/** All patterns of up to three segments over this alphabet. */
function allPatterns(): string[] {
  const segments = ['a', 'b', ':x'];
  const levels = [['']];
  for (let depth = 0; depth < 3; depth++) {
    const above = levels.at(-1) ?? [];
    levels.push(above.flatMap((start) => segments.map((segment) => `${start}/${segment}`)));
  }
  const closed = levels.flat().map((path) => (path === '' ? '/' : path));
  const open = levels
    .slice(0, 3)
    .flat()
    .map((path) => `${path}/*`);
  return [...closed, ...open];
}

/** All paths of up to three segments over a, b, c. */
function allPaths(): string[] {
  const one = ['a', 'b', 'c'].map((segment) => `/${segment}`);
  const two = one.flatMap((start) => one.map((end) => start + end));
  return ['/', ...one, ...two, ...two.flatMap((start) => one.map((end) => start + end))];
}

describe('A URL pattern', () => {
  const matching: [string, string][] = [
    ['/', '/'],
    ['/install', '/install/'],
    ['/install/', '/install'],
    ['/install?tab=1#top', '/install'],
    ['/invoices/:id', '/invoices/17'],
    ['/invoices/:id', '/invoices/a%2Fb'],
    ['/invoices/:id/lines/:line', '/invoices/17/lines/3'],
    ['/docs/*', '/docs'],
    ['/docs/*', '/docs/a/b/c'],
    ['/*', '/'],
    ['/*', '/x'],
    ['/käse', '/k%C3%A4se'],
    ['/k%C3%A4se', '/käse'],
    ['/a%20b', '/a b'],
    [' /a ', '/a'],
    ['/:', '/:'],
  ];
  for (const [pattern, path] of matching) {
    it(`${pattern} matches ${path}`, () => {
      assert.ok(matchesPattern(normalizePattern(pattern), normalizePath(path)));
    });
  }

  const missing: [string, string][] = [
    ['/', '/a'],
    ['/install', '/installation'],
    ['/install', '/Install'],
    ['/install', '/install/now'],
    ['/invoices/:id', '/invoices'],
    ['/invoices/:id', '/invoices/17/lines'],
    ['/invoices/:id', '/invoices//'],
    ['/docs/*', '/docsets'],
    ['/docs/*', '/'],
    ['/a.c', '/abc'],
    ['/:', '/x'],
  ];
  for (const [pattern, path] of missing) {
    it(`${pattern} does not match ${path}`, () => {
      assert.ok(!matchesPattern(normalizePattern(pattern), normalizePath(path)));
    });
  }

  it('is refused without a slash at its beginning, or with a star before its end', () => {
    for (const pattern of ['', 'install', '*', '/*/a', '/a*', '/a/b*', 'https://a.b/c', '/*a']) {
      assert.throws(() => normalizePattern(pattern), { code: 'invalid_request' }, pattern);
    }
  });

  it('does not change when it is normalised again', () => {
    for (const pattern of allPatterns()) assert.equal(normalizePattern(pattern), pattern);
  });

  it('has a consistent order among all patterns', () => {
    const patterns = allPatterns();
    const sorted = [...patterns].sort(compareSpecificity);
    for (const [index, a] of sorted.entries()) {
      for (const b of sorted.slice(index)) {
        assert.ok(compareSpecificity(a, b) <= 0, `${a} before ${b}`);
        assert.equal(
          Math.sign(compareSpecificity(a, b)),
          -Math.sign(compareSpecificity(b, a)) || 0,
        );
      }
    }
  });

  it('is more specific than every pattern that matches all its paths and others', () => {
    const paths = allPaths();
    const matched = new Map(
      allPatterns().map((pattern) => [pattern, paths.filter((p) => matchesPattern(pattern, p))]),
    );
    let compared = 0;
    for (const [narrow, fewer] of matched) {
      for (const [wide, more] of matched) {
        if (fewer.length >= more.length || !fewer.every((path) => more.includes(path))) continue;
        compared++;
        assert.ok(compareSpecificity(narrow, wide) < 0, `${narrow} is narrower than ${wide}`);
      }
    }
    assert.ok(compared > 100);
  });

  it('is compared by its first different segment: a literal is more specific than a name, a name than a star', () => {
    const shuffled = [
      '/*',
      '/docs/*',
      '/docs',
      '/:section/install',
      '/docs/:page',
      '/docs/install',
    ];
    assert.deepEqual(shuffled.sort(compareSpecificity), [
      '/docs/install',
      '/docs/:page',
      '/docs',
      '/docs/*',
      '/:section/install',
      '/*',
    ]);
  });
});
