import type { ButtonTexts, PanelTexts } from './texts.js';

export const deButton: ButtonTexts = {
  title: 'Assistent',
  open: 'Assistent öffnen',
  close: 'Assistent schließen',
  unread: (n) => (n === 1 ? '1 ungelesene Nachricht' : `${n} ungelesene Nachrichten`),
  lost: 'Der Assistent konnte nicht geladen werden. Bitte prüfen Sie die Verbindung und versuchen Sie es erneut.',
};

export const de: PanelTexts = {
  menu: 'Menü',
  back: 'Zurück',
  help: 'Hilfe',
  retry: 'Erneut versuchen',

  greeting: 'Guten Tag! Wie kann ich Ihnen helfen?',
  about: 'Ich antworte aus unseren Unterlagen und nenne Ihnen die Quellen.',
  suggestions: 'Vorgeschlagene Fragen',
  placeholder: 'Stellen Sie eine Frage …',
  send: 'Senden',
  stop: 'Antwort stoppen',
  charactersLeft: (n) => `Noch ${n} Zeichen`,
  tooLong: (n) => `Zu lang: höchstens ${n} Zeichen.`,
  latest: 'Zum Ende',

  messages: 'Nachrichten',
  you: 'Sie',
  assistant: 'Assistent',
  newConversation: 'Neue Unterhaltung',
  conversations: 'Unterhaltungen',
  noConversations: 'Noch keine Unterhaltungen.',
  delete: 'Löschen',
  cancel: 'Abbrechen',

  waiting: 'Einen Moment …',
  waitingQueue: 'Gerade gibt es viele Fragen. Ihre ist gleich an der Reihe …',
  waitingModel: 'Wird gestartet, das kann einen Moment dauern …',
  incomplete: 'Diese Antwort ist unvollständig.',
  stopped: 'Sie haben diese Antwort gestoppt.',
  brokeOff: 'Die Antwort wurde durch einen Fehler abgebrochen.',
  quoted: 'Aus den Quellen zitiert.',
  unsupported: '„Unbestätigt“: nicht durch die Quellen belegt.',
  unconfirmed: 'unbestätigt',
  sources: 'Quellen',
  source: (n) => `Quelle ${n}`,
  pages: (from, to) => (from === to ? `S. ${from}` : `S. ${from}–${to}`),
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyAnswer: 'Antwort kopieren',
  helpful: 'Hilfreich',
  notHelpful: 'Nicht hilfreich',
  whatWrong: 'Was stimmt nicht?',
  reasons: ['Falsch', 'Unvollständig', 'Am Thema vorbei', 'Schwer verständlich'],
  comment: 'Kommentar (optional)',
  thanks: 'Vielen Dank!',

  askPerson: 'Einen Menschen fragen',
  askPersonNote: 'Jemand kann sich darum kümmern. Die Antwort erscheint dann hier.',
  askPersonEmail: 'E-Mail für die Antwort (optional)',
  emailWrong: 'Bitte prüfen Sie die E-Mail-Adresse.',
  asking: 'Wird weitergeleitet …',
  asked: 'Weitergeleitet. Die Antwort erscheint dann hier.',
  person: 'Persönliche Antwort',
  notifications: 'Antworten auf Ihre Fragen',
  noNotifications: 'Noch keine Antworten.',
  notified: 'Ihre Frage wurde beantwortet.',

  signIn: 'Anmelden',
  signOut: 'Abmelden',
  signedInAs: (name) => `Angemeldet als ${name}`,
  email: 'E-Mail',
  password: 'Passwort',
  signInWrong: 'E-Mail oder Passwort ist falsch.',

  reconnecting: 'Verbindung unterbrochen. Wird wiederhergestellt …',
  offline: 'Sie sind offline. Nachrichten werden später gesendet.',
  queued: 'Wird gesendet, sobald die Verbindung steht',
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es erneut.',
  rateLimited: (seconds) =>
    `Zu viele Nachrichten. Bitte warten Sie ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}.`,
  refused: 'Der Assistent ist auf dieser Seite nicht verfügbar.',

  loading: 'Wird geladen …',
  markRead: 'Als gelesen markieren',
};

export { de as part };
