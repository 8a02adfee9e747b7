import type { Language } from '../platform/text/languages.js';

interface Phrases {
  notFound: string;
  /** To small talk: greetings, what it is and does, and how to go on. */
  hello: string;
  welcome: string;
  goodbye: string;
  automated: string;
  answers: string;
  /** To yes, no and the like. */
  fine: string;
  /** Where nothing is found for `{asked}`: a name alone, or one of several questions. */
  nothingOn: string;
  wholeQuestion: string;
  first: string;
  further: string;
  /** The model failed before its first word, and in the middle: without a word on where it runs and why. */
  noAnswer: string;
  brokeOff: string;
  /** In the place of an old answer, where its reader may not see all that it was made of. */
  withheld: string;
}

/** What the assistant itself says, in the reader's language. */
const phrases = {
  en: {
    notFound: 'I found no answer to this. Try other words, or ask a person.',
    hello: 'Hello!',
    welcome: 'You’re welcome!',
    goodbye: 'Goodbye!',
    automated: 'I am an automated assistant.',
    answers: 'I answer from our documents and show you the sources.',
    fine: 'All right.',
    nothingOn: 'I found nothing on “{asked}”.',
    wholeQuestion: 'What would you like to know? A whole question helps me to find the answer.',
    first: 'What would you like to know?',
    further: 'If you have another question, just ask.',
    noAnswer: 'The assistant can’t answer at the moment. Ask again in a while.',
    brokeOff: 'The answer broke off. Ask again.',
    withheld:
      'This answer is no longer shown: the knowledge that it was made of was taken back or is not open to you. Ask again for what is known now.',
  },
  es: {
    notFound:
      'No he encontrado una respuesta a esto. Pruebe con otras palabras o pregunte a una persona.',
    hello: '¡Hola!',
    welcome: '¡De nada!',
    goodbye: '¡Hasta pronto!',
    automated: 'Soy un asistente automático.',
    answers: 'Respondo con nuestra documentación y le muestro las fuentes.',
    fine: 'De acuerdo.',
    nothingOn: 'No he encontrado nada sobre «{asked}».',
    wholeQuestion:
      '¿Qué le gustaría saber? Una pregunta completa me ayuda a encontrar la respuesta.',
    first: '¿Qué le gustaría saber?',
    further: 'Si tiene otra pregunta, hágala cuando quiera.',
    noAnswer:
      'El asistente no puede responder en este momento. Pregunte de nuevo dentro de un rato.',
    brokeOff: 'La respuesta se ha interrumpido. Pregunte de nuevo.',
    withheld:
      'Esta respuesta ya no se muestra: el conocimiento en el que se basaba se ha retirado o usted no puede verlo. Pregunte de nuevo para saber lo que consta ahora.',
  },
  de: {
    notFound:
      'Dazu habe ich keine Antwort gefunden. Versuchen Sie es mit anderen Worten, oder fragen Sie einen Menschen.',
    hello: 'Hallo!',
    welcome: 'Gern geschehen!',
    goodbye: 'Auf Wiedersehen!',
    automated: 'Ich bin ein automatischer Assistent.',
    answers: 'Ich antworte aus unseren Unterlagen und nenne Ihnen die Quellen.',
    fine: 'In Ordnung.',
    nothingOn: 'Zu „{asked}“ habe ich nichts gefunden.',
    wholeQuestion: 'Was möchten Sie wissen? Eine ganze Frage hilft mir, die Antwort zu finden.',
    first: 'Was möchten Sie wissen?',
    further: 'Wenn Sie noch eine Frage haben, fragen Sie einfach.',
    noAnswer: 'Der Assistent kann gerade nicht antworten. Fragen Sie in einer Weile noch einmal.',
    brokeOff: 'Die Antwort ist abgebrochen. Fragen Sie noch einmal.',
    withheld:
      'Diese Antwort wird nicht mehr angezeigt: Das Wissen, auf dem sie beruhte, wurde zurückgezogen oder steht Ihnen nicht offen. Fragen Sie noch einmal nach dem, was jetzt bekannt ist.',
  },
} as const satisfies Record<Exclude<Language, 'other'>, Phrases>;

export function phrasesIn(language: Language): Phrases {
  return language === 'other' ? phrases.en : phrases[language];
}

/** That nothing was found for a name or a question, in the words of the person who asked. */
export function nothingOn(asked: string, language: Language): string {
  const words = asked.replace(/^[\s¿?¡!]+|[\s¿?¡!]+$/g, '');
  return phrasesIn(language).nothingOn.replace('{asked}', () => words);
}

/** Whether an answer ends with a question that nothing was found on. */
export function leavesOpen(text: string): boolean {
  const last = text.slice(text.lastIndexOf('\n\n') + 2);
  return Object.values(phrases).some((one) => {
    const [before = '', behind = ''] = one.nothingOn.split('{asked}');
    return last.startsWith(before) && last.endsWith(behind);
  });
}

/** Whether a text is what the assistant says, in any language, where the knowledge holds no answer. */
export function isNotFound(text: string): boolean {
  return Object.values(phrases).some(({ notFound }) => text.trim() === notFound);
}
