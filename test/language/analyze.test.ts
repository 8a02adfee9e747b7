import assert from 'node:assert/strict';
import { indexTerms, queryTerms, tokenize } from '../../src/language/analyze.js';
import type { Language } from '../../src/language/language-pack.js';

/** Whether a text contains each word of a question in one of its variants. */
function finds(question: string, text: string, language: Language): boolean {
  const terms = new Set(indexTerms(text, language));
  return queryTerms(question).every((term) => term.variants.some((variant) => terms.has(variant)));
}

describe('The words', () => {
  it('of a text have their positions in the original text', () => {
    const text = 'Die Größe: ＡＢＣ, ﬁle.';
    for (const { start, end, text: word } of tokenize(text)) {
      assert.equal(word, text.slice(start, end).normalize('NFKC').toLowerCase());
    }
    assert.deepEqual(
      tokenize(text).map((token) => token.text),
      ['die', 'größe', 'abc', 'file'],
    );
  });

  const wholes: [string, string[]][] = [
    ['C++ and C#', ['c++', 'c', 'and', 'c#', 'c']],
    ['foo.bar', ['foo.bar', 'foo', 'bar']],
    ['--dry-run', ['--dry-run', 'dry', 'run']],
    ['my_var', ['my_var', 'my', 'var']],
    ['\\_\\_init__ of my\\_var', ['__init__', 'init', 'of', 'my_var', 'my', 'var']],
    ['e-mail.', ['e-mail', 'e', 'mail']],
    ['3.5 or -7', ['3.5', 'or', '7']],
    ['東京タ', ['東京', '京タ']],
    ['文', ['文']],
    ['- item', ['item']],
    ['__ -- ..', []],
    ['Welt³ und api.end¹²', ['welt', 'und', 'api.end', 'api', 'end']],
    ['12 cm³ in H²', ['12', 'cm3', 'in', 'h2']],
  ];
  for (const [text, expected] of wholes) {
    it(`of "${text}" are ${expected.map((word) => `"${word}"`).join(', ') || 'none'}`, () => {
      assert.deepEqual(
        tokenize(text).map((token) => token.text),
        expected,
      );
    });
  }
});

describe('A search', () => {
  const found: [string, string, Language][] = [
    ['Haus', 'Die Häuser sind groß', 'de'],
    ['gross', 'Die Häuser sind groß', 'de'],
    ['Haeuser', 'Die Häuser', 'de'],
    ['instalaciones', 'La instalación del servidor', 'es'],
    ['instalacion', 'Las instalaciones', 'es'],
    ['rapida', 'La copia rápida', 'es'],
    ['configured servers', 'Configure the server', 'en'],
    ['Passwörter', 'Ένα Passwörter plain', 'other'],
    ['email', 'Send an E-Mail', 'en'],
    ['E-Mails', 'the email addresses', 'en'],
    ['v2.1', 'since version 2.1', 'en'],
    ['2.1', 'since v2.1', 'en'],
    ['dry-run', 'use --dry-run here', 'en'],
    ['--dry-run', 'use --dry-run here', 'en'],
    ['config.yaml', 'edit config.yaml', 'en'],
    ['yaml', 'edit config.yaml', 'en'],
    ['C++', 'written in C++', 'en'],
    ['京都', '東京都', 'other'],
    ['soft\u00adware', 'software', 'en'],
  ];
  for (const [question, text, language] of found) {
    it(`for "${question}" finds "${text}"`, () => assert.ok(finds(question, text, language)));
  }

  it('distinguishes C++ from C and 3.5 from 35', () => {
    assert.ok(!finds('C++', 'written in C', 'en'));
    assert.ok(!finds('3.5', 'in 35 steps', 'en'));
  });

  it('does not remove the endings of another language from a word', () => {
    assert.equal(finds('Where is the logo?', 'Where is the log?', 'en'), false);
    assert.equal(finds('Where is the logo?', 'Where are the logos? There is one.', 'en'), true);
  });

  it('treats words such as “wie”, “how” and “cómo” as function words, but not “server”', () => {
    const stop = queryTerms('Wie how cómo server').filter((term) => term.isStopWord);
    assert.deepEqual(
      stop.map((term) => term.text),
      ['wie', 'how', 'cómo'],
    );
  });

  it('uses a repeated word of the question only once', () => {
    assert.equal(queryTerms('Server server SERVER').length, 1);
  });

  it('uses terms of letters, digits and underscores only, in any script', () => {
    const text = `C++ foo.bar __init__ --x v2.1 straße İstanbul हिन्दी ไทย 東京 ½ x² naïve ﬁle "a" OR NEAR( * ) ${'z'.repeat(200)}`;
    const terms = [...indexTerms(text, 'de'), ...queryTerms(text).flatMap((term) => term.variants)];
    for (const term of terms) assert.match(term, /^[\p{L}\p{N}_]+$/u);
  });

  it('splits long texts without spaces into terms of at most 64 characters', () => {
    for (const unit of ['a', '.', 'a.', '-', '_', 'a-', '東', '1.']) {
      const terms = indexTerms(unit.repeat(50_000), 'de');
      assert.ok(terms.length <= 100_000 && terms.every((term) => term.length <= 64), unit);
    }
  });
});
