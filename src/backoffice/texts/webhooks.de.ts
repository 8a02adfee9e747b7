import type { Texts } from './en.js';
import type { webhooksDoneEn } from './webhooks.en.js';

export const webhooksDe: Texts['webhooks'] = {
  title: 'Webhooks',
  about:
    'Ein Webhook ist eine Ihrer Adressen, die benachrichtigt wird, wenn eine Person eine Frage beantwortet.',
  none: 'Noch gibt es keine Webhooks. Fügen Sie die Adresse eines Programms hinzu, das von beantworteten Fragen erfahren soll.',
  add: 'Webhook hinzufügen',
  urlHint: 'Eine https-Adresse im öffentlichen Internet, ohne Benutzer und Passwort.',
  states: { active: 'Aktiv', disabled: 'Abgeschaltet' },
  secret: 'Geheimnis',
  secretTitle: 'Das Geheimnis dieses Webhooks',
  secretAbout:
    'Kopieren Sie das Geheimnis jetzt. Es wird nur dieses eine Mal gezeigt. Damit prüft der Empfänger, dass eine Nachricht von hier kommt (Standard Webhooks).',
  rotate: 'Geheimnis ersetzen',
  rotateHint: 'Das neue Geheimnis unterschreibt ab jetzt. Das alte endet sofort.',
  end: 'Abschalten oder löschen',
  disable: 'Abschalten',
  disableHint: 'Er erhält nichts mehr, bis er wieder eingeschaltet wird.',
  enable: 'Einschalten',
  enableHint: 'Er erfährt von Fragen, die ab jetzt beantwortet werden.',
  delete: 'Diesen Webhook löschen',
  deleteWarning: 'Was noch nicht gesendet ist, wird nie gesendet.',
  deleteSurely: 'Endgültig löschen',
  test: 'Test senden',
  testHint:
    'Sendet jetzt ein unterschriebenes Ereignis vom Typ webhook.test und zeigt die Antwort.',
  testDelivered: (status) => `Der Test ist angekommen. Der Webhook antwortete mit ${status}.`,
  lastDeliveries: 'Letzte Zustellungen',
  deliveries: 'Zustellungen',
  deliveriesAbout:
    'Was per E-Mail und an Webhooks gesendet wird, wenn Fragen beantwortet sind. Eine gescheiterte Nachricht wird nach wachsenden Pausen noch einmal gesendet.',
  noDeliveries: 'Noch wurde nichts gesendet.',
  about1: 'Worum es geht',
  to: 'An',
  webhook: (id) => `Webhook ${id}`,
  channel: 'Per',
  channels: { mail: 'E-Mail', webhook: 'Webhook' },
  statuses: { pending: 'Wartet', delivered: 'Zugestellt', dead: 'Aufgegeben' },
  attempts: 'Versuche',
  last: 'Letzter Versuch',
  answered: (status) => `Antwort ${status}`,
  nextAttempt: 'Nächster Versuch:',
  retry: 'Noch einmal senden',
  retryOf: (id) => `Noch einmal senden: Zustellung ${id}`,
};

export const webhooksDoneDe: typeof webhooksDoneEn = {
  webhookDisabled: 'Der Webhook ist abgeschaltet.',
  webhookEnabled: 'Der Webhook ist eingeschaltet.',
  deliveryRetried: 'Sie wird jetzt noch einmal gesendet.',
};
