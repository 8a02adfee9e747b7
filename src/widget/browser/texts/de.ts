import type { ButtonTexts, PanelTexts } from './texts.js';

export const deButton: ButtonTexts = {
  title: 'Assistent',
  open: 'Assistent öffnen',
  close: 'Assistent schließen',
  unread: (n) => (n === 1 ? '1 ungelesene Nachricht' : `${n} ungelesene Nachrichten`),
  lost: 'Der Assistent konnte nicht geladen werden. Bitte versuchen Sie es erneut.',
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
  tooLong: (n) => `Zu lang: höchstens ${n} Zeichen.`,
  latest: 'Zum Ende',

  messages: 'Nachrichten',
  you: 'Sie',
  newConversation: 'Neue Unterhaltung',
  conversations: 'Unterhaltungen',
  nothing: 'Noch nichts da.',
  deleted: 'Diese Unterhaltung wurde gelöscht.',
  delete: 'Löschen',
  deleteThis: (title) => `„${title}“ löschen?`,
  cancel: 'Abbrechen',

  waiting: 'Einen Moment …',
  longer: 'Das dauert etwas länger …',
  incomplete: 'Diese Antwort ist unvollständig.',
  cancelled: 'Sie haben diese Antwort gestoppt.',
  quoted: 'Aus den Quellen zitiert.',
  unsupported: '„Unbestätigt“: nicht durch die Quellen belegt.',
  unconfirmed: 'unbestätigt',
  sources: 'Quellen',
  source: (n) => `Quelle ${n}`,
  pages: (from, to) => (from === to ? `S. ${from}` : `S. ${from}–${to}`),
  changed: 'geändert',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyAnswer: 'Antwort kopieren',
  helpful: 'Hilfreich',
  notHelpful: 'Nicht hilfreich',
  whatWrong: 'Was stimmt nicht?',
  reasons: ['Falsch', 'Unvollständig', 'Am Thema vorbei', 'Unklar'],
  comment: 'Kommentar (optional)',
  thanks: 'Vielen Dank!',

  askPerson: 'Einen Menschen fragen',
  askPersonEmail: 'E-Mail für die Antwort (optional)',
  emailWrong: 'Bitte prüfen Sie die Adresse.',
  sending: 'Wird weitergeleitet …',
  filed: 'Weitergeleitet. Die Antwort erscheint hier.',
  person: 'Persönliche Antwort',
  notifications: 'Mitteilungen',
  answered: 'Ihre Frage wurde beantwortet.',

  signIn: 'Anmelden',
  signOut: 'Abmelden',
  signedInAs: (name) => `Angemeldet als ${name}`,
  email: 'E-Mail',
  password: 'Passwort',
  signInWrong: 'E-Mail oder Passwort ist falsch.',

  reconnecting: 'Verbindung unterbrochen. Wird wiederhergestellt …',
  offline: 'Sie sind offline.',
  queued: 'Wird später gesendet.',
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es erneut.',
  rateLimited: (wait) => `Zu viele Nachrichten. Bitte versuchen Sie es ${wait} erneut.`,
  refused: 'Der Assistent ist auf dieser Seite nicht verfügbar.',

  loading: 'Wird geladen …',
};

export { de as part };
