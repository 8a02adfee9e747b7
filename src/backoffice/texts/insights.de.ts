import type { Texts } from './en.js';

export const insightsDe: Texts['insights'] = {
  title: 'Auswertung',
  none: 'In diesen Tagen hat niemand etwas gefragt.',
  from: 'Von',
  to: 'Bis',
  days: (days) => (days === 365 ? '1 Jahr' : `${days} Tage`),
  span: (from, to, zone) =>
    `${from} bis ${to}, Tage in der Zeitzone ${zone}. Ohne Kommandozeile und ohne Geplauder.`,
  byDay: 'Fragen nach Tagen',
  chart:
    'Balken mit den Fragen jedes Tages, mit und ohne Antwort. Die Tabelle darunter enthält die Zahlen.',
  unanswered: 'Ohne Antwort',
  helpful: 'Hilfreich / nicht',
  noApp: 'Keine App',
  csv: (table) => `Als CSV herunterladen: ${table}`,
  tables: { app: 'App', channel: 'Wo', language: 'Sprache', day: 'Tag' },
  by: { app: 'Nach App', channel: 'Nach Kanal', language: 'Nach Sprache', day: 'Nach Tag' },
  languages: { en: 'Englisch', es: 'Spanisch', de: 'Deutsch', other: 'Andere' },
  figures: {
    questions: 'Fragen',
    answered: 'Beantwortet',
    unsupported: 'Nicht belegt',
    up: 'Hilfreich',
    down: 'Nicht hilfreich',
    conversations: 'Gespräche',
    settled: 'Ohne Person erledigt',
    handedOver: 'An eine Person übergeben',
    units: 'Verbrauchte Einheiten',
  },
  notes: {
    of: (total) => `von ${total}`,
    conversations: (count) => `in Gesprächen: ${count}`,
    median: (time) => `beantwortet nach ${time} (Median)`,
    rated: (rated, total) => `bewertet: ${rated} von ${total}`,
    units: 'des Modells, alle Zahler',
  },
};
