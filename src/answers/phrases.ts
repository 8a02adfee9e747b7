import type { Language } from '../platform/text/languages.js';

interface Phrases {
  notFound: string;
}

/** What the assistant itself says, in the reader's language. */
const phrases = {
  en: {
    notFound:
      'I found no answer to this in the knowledge that I may use. Try other words, or ask the people who look after it.',
  },
  es: {
    notFound:
      'No he encontrado una respuesta a esto en el conocimiento que puedo usar. Pruebe con otras palabras o pregunte a quienes lo mantienen.',
  },
  de: {
    notFound:
      'Dazu habe ich in dem Wissen, das ich nutzen darf, keine Antwort gefunden. Versuchen Sie es mit anderen Worten, oder fragen Sie die Menschen, die es pflegen.',
  },
} as const satisfies Record<Exclude<Language, 'other'>, Phrases>;

export function phrasesIn(language: Language): Phrases {
  return language === 'other' ? phrases.en : phrases[language];
}
