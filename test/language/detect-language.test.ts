import assert from 'node:assert/strict';
import { detectLanguage, tellLanguage } from '../../src/language/detect-language.js';
import type { Language } from '../../src/language/language-pack.js';

const examples: Record<Language, string[]> = {
  en: [
    'How do I reset my password?',
    'installing the server',
    'Which ports does the backup service need?',
    'What is new in 2.4',
  ],
  es: [
    '¿Cómo restablezco mi contraseña?',
    'como cambio la contrasena',
    'instalación del servidor',
    'Los puertos que necesita el servicio de copias',
  ],
  de: [
    'Wie setze ich mein Passwort zurück?',
    'Wie aendere ich das Passwort',
    'Einrichtung des Servers',
    'Welche Ports braucht die Datensicherung?',
  ],
  other: [
    'Comment puis-je réinitialiser mon mot de passe ?',
    'Come posso reimpostare la password?',
    'Onde está o arquivo de configuração?',
    'Hoe kan ik mijn wachtwoord opnieuw instellen?',
    'Jak mogę zresetować hasło?',
    'Как сбросить пароль?',
    '如何重置密码？',
    'كيف أعيد تعيين كلمة المرور؟',
  ],
};

describe('The language of a text', () => {
  for (const [language, texts] of Object.entries(examples)) {
    for (const text of texts) {
      it(`is ${language}: ${text}`, () => assert.equal(detectLanguage(text), language));
    }
  }

  it('is “other” if the text contains no words', () => {
    for (const text of ['', '   ', '3.45', '?!', '404']) {
      assert.equal(detectLanguage(text), 'other');
    }
  });

  it('is certain only if the words show it clearly', () => {
    for (const text of ['exit codes', 'access token', 'visibility levels', 'Backup', '3.45']) {
      assert.equal(tellLanguage(text).sure, false, text);
    }
    for (const text of [...examples.en, ...examples.es, ...examples.de, '¿token?']) {
      assert.equal(tellLanguage(text).sure, true, text);
    }
  });

  it('does not depend on identifiers and paths in the text', () => {
    assert.equal(detectLanguage('¿Y too_many_pages?'), 'es');
    assert.equal(detectLanguage('Was macht knowledge/import.search?'), 'de');
  });
});
