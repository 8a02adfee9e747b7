import type { checklistEn } from './checklist.en.js';

export const checklistDe: typeof checklistEn = {
  title: 'Ihren Assistenten einrichten',
  progress: (done, all) => `${done} von ${all} Schritten sind erledigt`,
  done: 'Erledigt',
  open: 'Offen',
  hide: 'Diese Liste ausblenden',
  show: 'Die Schritte der Einrichtung zeigen',
  steps: {
    domain: [
      'Die Domain Ihrer Website hinzufügen',
      'Sie sagt, welche Seiten das Widget zeigen dürfen.',
    ],
    document: ['Ein Dokument hochladen', 'Ein Handbuch als PDF ist ein guter Anfang.'],
    review: ['Seine Entwürfe prüfen', 'Antworten nutzen nur, was Sie angenommen haben.'],
    answer: ['Eine Frage stellen', 'Sehen Sie, ob sie aus Ihrem Wissen beantwortet wird.'],
    key: ['Einen Widget-Schlüssel anlegen', 'Mit ihm zeigen Ihre Seiten das Widget.'],
    seen: ['Das Widget auf eine Seite setzen', 'Erledigt, wenn jemand das Widget dort öffnet.'],
    person: ['Eine zweite Person hinzufügen', 'Damit jemand helfen kann, wenn Sie nicht da sind.'],
    messages: [
      'E-Mail oder einen Webhook einrichten',
      'Damit Personen erfahren, wenn ihre Frage beantwortet ist.',
    ],
    backup: [
      'Eine Sicherung machen',
      'Höchstens eine Woche alt. Jede Nacht geht es mit: assistant backup',
    ],
  },
  deliveries: (count) => `Nachrichten, die nicht zugestellt werden konnten: ${count}`,
};
