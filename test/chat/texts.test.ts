import assert from 'node:assert/strict';
import { phrasesIn } from '../../src/answers/answer.js';
import { languageAmong } from '../../src/chat/texts/button-texts.js';
import { waitText } from '../../src/chat/view/wait-text.js';
import { textsOf } from '../../src/chat/texts/panel-texts.js';

const languages = { en: textsOf('en'), es: textsOf('es'), de: textsOf('de') };

const all = Object.entries(languages);

/** What a reader sees, functions called with each of these numbers. */
function shown(text: unknown): string[] {
  if (typeof text === 'string') return [text];
  if (Array.isArray(text)) return text as string[];
  const write = text as (...given: unknown[]) => string;
  return [1, 2, 30].map((n) => write(n, n + 2));
}

describe('The texts of the widget', () => {
  it('exist in every language, and none is empty', () => {
    for (const [language, texts] of all) {
      for (const [key, text] of Object.entries(texts)) {
        for (const words of shown(text)) {
          assert.ok(words.trim() === words && words !== '', `${language}.${key}: "${words}"`);
          assert.doesNotMatch(words, /undefined|NaN|\[object/, `${language}.${key}`);
        }
      }
    }
  });

  it('name the sources as the assistant’s answers do', () => {
    for (const [language, texts] of all)
      assert.equal(texts.about, phrasesIn(language as 'en' | 'es' | 'de').answers);
  });

  it('distinguish one from several', () => {
    assert.equal(languages.en.unread(1), '1 unread message');
    assert.equal(languages.es.unread(1), '1 mensaje sin leer');
    assert.equal(languages.de.unread(2), '2 ungelesene Nachrichten');
  });

  it('state a waiting time in the most suitable unit', () => {
    const waits = [1, 29.2, 120, 121, 7201, 864_000];
    const told = ({ language, seconds }: { language: 'en' | 'es' | 'de'; seconds: number }) =>
      languages[language].rateLimited(waitText(seconds, language));
    assert.deepEqual(
      waits.map((seconds) => told({ language: 'en', seconds })),
      ['1 second', '30 seconds', '120 seconds', '3 minutes', '121 minutes', '10 days'].map(
        (wait) => `Too many messages. Try again in ${wait}.`,
      ),
    );
    assert.equal(
      told({ language: 'es', seconds: 2 }),
      'Demasiados mensajes. Inténtelo de nuevo dentro de 2 segundos.',
    );
    assert.equal(
      told({ language: 'de', seconds: 1 }),
      'Zu viele Nachrichten. Bitte versuchen Sie es in 1 Sekunde erneut.',
    );
  });

  it('name a page or a range of pages in each language’s way', () => {
    assert.deepEqual(
      all.map(([, texts]) => [texts.pages(3, 3), texts.pages(3, 5)]),
      [
        ['p. 3', 'pp. 3–5'],
        ['pág. 3', 'págs. 3-5'],
        ['S. 3', 'S. 3–5'],
      ],
    );
  });

  it('are translated: two languages share only words that are the same in both', () => {
    for (const key of Object.keys(languages.en) as (keyof typeof languages.en)[]) {
      const [en, es, de] = [languages.en[key], languages.es[key], languages.de[key]].map((text) =>
        shown(text).join(),
      );
      assert.notEqual(en, es, key);
      assert.notEqual(es, de, key);
      if (key !== 'email') assert.notEqual(en, de, key);
    }
  });
});

describe('The language of the widget', () => {
  it('is the first supported one, whatever its region, script or case', () => {
    assert.equal(languageAmong(['auto', 'de-AT', 'en']), 'de');
    assert.equal(languageAmong(['es', 'de']), 'es');
    assert.equal(languageAmong(['auto', '', 'fr-FR', 'pt', 'ES-419']), 'es');
    assert.equal(languageAmong(['auto', ' de_CH ', 'en-GB']), 'de');
  });

  it('is English if none is supported, and ignores names of object properties', () => {
    assert.equal(languageAmong([]), 'en');
    assert.equal(languageAmong(['auto', 'constructor', '__proto__', 'toString', 'zh-Hant']), 'en');
  });
});
