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

  greeting: 'Guten Tag! Wie kann ich helfen?',
  suggestions: 'Vorgeschlagene Fragen',
  placeholder: 'Stellen Sie eine Frage…',
  send: 'Senden',
  stop: 'Antwort anhalten',
  charactersLeft: (n) => `Noch ${n} Zeichen`,
  tooLong: (n) => `Zu lang: höchstens ${n} Zeichen.`,
  latest: 'Zum Neuesten',

  messages: 'Nachrichten',
  you: 'Sie',
  assistant: 'Assistent',
  newConversation: 'Neue Unterhaltung',
  conversations: 'Unterhaltungen',
  noConversations: 'Noch keine Unterhaltungen.',
  conversationsFailed: 'Die Unterhaltungen konnten nicht geladen werden.',
  restoring: 'Die Unterhaltung wird geladen…',

  waiting: 'Einen Moment…',
  waitingQueue: 'Gerade gibt es viele Fragen. Ihre kommt gleich an die Reihe…',
  waitingModel: 'Wird gestartet, das kann einen Moment dauern…',
  incomplete: 'Diese Antwort ist unvollständig.',
  stopped: 'Sie haben diese Antwort gestoppt.',
  brokeOff: 'Diese Antwort ist wegen eines Fehlers abgebrochen.',
  quoted: 'Aus den Quellen zitiert.',
  unsupported: 'Als „unbestätigt“ markierte Sätze sind nicht durch die Quellen belegt.',
  unconfirmed: 'unbestätigt',
  sources: 'Quellen',
  source: (n) => `Quelle ${n}`,
  pages: (from, to) => (from === to ? `S. ${from}` : `S. ${from}–${to}`),
  copy: 'Kopieren',
  copied: 'Kopiert',
  helpful: 'Hilfreich',
  notHelpful: 'Nicht hilfreich',

  askPerson: 'Eine Person fragen',
  askPersonNote: 'Jemand kann sich darum kümmern. Die Antwort erscheint dann hier.',
  askPersonEmail: 'E-Mail für die Antwort (freiwillig)',
  emailWrong: 'Bitte prüfen Sie die E-Mail-Adresse.',
  asking: 'Wird weitergegeben…',
  asked: 'Weitergegeben. Sie finden die Antwort dann hier.',
  askFailed: 'Ihre Frage konnte nicht weitergegeben werden.',
  notifications: 'Antworten auf Ihre Fragen',
  noNotifications: 'Noch keine Antworten.',
  notified: 'Ihre Frage wurde beantwortet.',

  signIn: 'Anmelden',
  signOut: 'Abmelden',
  signedInAs: (name) => `Angemeldet als ${name}`,
  email: 'E-Mail',
  password: 'Passwort',
  signInWrong: 'E-Mail oder Passwort ist falsch.',
  signInFailed: 'Die Anmeldung hat nicht geklappt. Bitte versuchen Sie es später erneut.',

  reconnecting: 'Verbindung unterbrochen. Wird wiederhergestellt…',
  offline: 'Sie sind offline. Nachrichten werden später gesendet.',
  queued: 'Wird gesendet, sobald die Verbindung steht',
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es erneut.',
  timeout: 'Es kam keine Antwort. Bitte versuchen Sie es erneut.',
  rateLimited: (seconds) =>
    `Zu viele Nachrichten. Bitte warten Sie ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}.`,
  refused: 'Der Assistent ist auf dieser Seite nicht verfügbar.',

  loading: 'Wird geladen…',
  markRead: 'Als gelesen markieren',
};

export { de as part };
