import type { Texts } from './en.js';

export const answersDe: Texts['answers'] = {
  firstWord: (time) => `erstes Wort nach ${time}`,
  inAll: (time) => `${time} insgesamt`,
  citing: 'Antworten, die ihn zitieren',
  citingTitle: (title) => `Antworten, die „${title}“ zitieren`,
  citingNone: 'Noch keine Antwort hat diesen Eintrag zitiert.',
  citingCount: (count) => `Antworten insgesamt: ${count}`,
  citingAll: 'Alle anzeigen',
  citingLatest: 'Die neuesten Antworten, die ihn zitieren',
  question: 'Frage',
  noQuestion: '(Die Frage gibt es nicht mehr.)',
  answered: 'Beantwortet',
  newest: 'Zurück zu den neuesten',
  older: 'Ältere',
  use: 'Verwendung',
  uses: { unused: 'Nie in einer Antwort verwendet', used: 'In einer Antwort verwendet' },
  counted: (count) => `Gespräche insgesamt: ${count}`,
  answer: 'Antwort',
  commented: 'Mit Kommentar',
  download: 'Diese herunterladen',
  csv: 'Als CSV',
  jsonl: 'Als JSON-Zeilen',
  downloadNote:
    'Alle Fragen und Antworten der passenden Gespräche. Dass Sie sie herunterladen, wird aufgezeichnet.',
};
