import type { ExtensionTexts } from './texts.js';

export const de: ExtensionTexts = {
  name: 'Assistant',
  banner: {
    title: 'Konto verknüpfen',
    invitation:
      'Diese Website kann Ihr Assistant-Konto erkennen. Sie entscheiden in der Seitenleiste.',
    open: 'Seitenleiste öffnen',
    dismiss: 'Nicht jetzt',
  },

  chat: 'Chat',
  page: 'Diese Seite',
  setUp: 'Einrichtung',
  settings: 'Einstellungen',

  promises: [
    'Die Erweiterung zeigt, was Ihre Organisation über die geöffnete Seite weiß, und beantwortet Ihre Fragen dazu.',
    'Sie sieht eine Seite nur, wenn Sie auf die Schaltfläche der Erweiterung klicken, oder auf Websites, die Sie erlaubt haben. Der Browser fragt Sie vorher.',
    'Sie sendet die vollständige Adresse einer Seite nur auf Websites Ihrer Organisation an Ihren Dienst. Was Sie auf einer Seite eingeben, sendet sie nie.',
  ],
  signedOut: 'Melden Sie sich an, um zu sehen, was Ihre Organisation weiß, und danach zu fragen.',
  unreachable: 'Der Dienst ist nicht erreichbar.',
  retry: 'Erneut versuchen',
  quota: 'Ihre Fragen für diesen Monat sind aufgebraucht.',
  refused: 'Der Dienst hat das abgelehnt. Versuchen Sie es später erneut.',

  loading: 'Wird geladen …',
  knowledgeOf: (host) => `Was über diese Seite von ${host} bekannt ist`,
  ofPage: 'Zu dieser Seite',
  ofSite: 'Zur ganzen Website',
  noKnowledge: 'Über diese Seite ist noch nichts bekannt.',
  unregistered: (host) => `${host} ist keine Website Ihrer Organisation.`,
  noPage: 'Für diese Art von Seite gibt es nichts zu zeigen.',
  noAccess:
    'Die Erweiterung sieht diese Seite nicht. Klicken Sie in der Symbolleiste des Browsers auf die Schaltfläche der Erweiterung, um es zu erlauben.',
  copy: 'Kopieren',
  copied: 'Kopiert',
  visibility: { public: 'Öffentlich', authenticated: 'Für Angemeldete' },
  recognise: (host) => `${host} immer erkennen`,
  recogniseNote: 'Der Browser fragt Sie dann, ob die Erweiterung diese Website sehen darf.',

  linkTitle: (host) => `Ihr Konto mit ${host} verknüpfen?`,
  linkSite: 'Website',
  linkApp: 'Anwendung',
  linkAccount: 'Ihr Konto',
  linkConsequences: [
    'Der Assistent auf dieser Website und diese Erweiterung kennen Sie dann als dieselbe Person und zeigen Ihnen Ihre Unterhaltungen aus beiden. Wer die Website betreibt, kann lesen, was Sie in dieser Erweiterung über sie fragen.',
    'Die Erweiterung lässt sich von der Website ein signiertes Token geben und sendet es an Ihren Dienst. Nichts anderes von der Seite wird gesendet.',
    'Die Website erfährt Ihr Passwort nicht und kann Ihr Kontingent nicht verbrauchen. Sie können es in den Einstellungen rückgängig machen.',
  ],
  linkUnregistered:
    'Diese Website ist für die Anwendung, deren Schlüssel sie nennt, nicht registriert. Sie kann nicht verknüpft werden.',
  link: 'Konto verknüpfen',
  notNow: 'Nicht jetzt',
  linking: 'Wird verknüpft …',
  linkedAs: (name, app) => `Mit ${app} verknüpft als ${name}`,
  problems: {
    changed:
      'Die Seite hat sich inzwischen geändert. Laden Sie sie neu und versuchen Sie es erneut.',
    bad_endpoint: 'Die Token-Adresse der Website ist ungültig. Es wurde nichts gesendet.',
    cross_origin:
      'Die Token-Adresse der Website gehört zu einer anderen Website. Es wurde nichts gesendet.',
    redirect: 'Die Website leitet die Anfrage nach ihrem Token um. Es wurde nichts gesendet.',
    signed_out:
      'Sie sind auf dieser Website nicht angemeldet. Melden Sie sich dort an und versuchen Sie es erneut.',
    bad_status: 'Die Website hat mit einem Fehler geantwortet. Es wurde nichts gesendet.',
    not_json:
      'Die Website hat mit einer Seite statt mit einem Token geantwortet. Es wurde nichts gesendet.',
    too_large: 'Die Antwort der Website ist zu groß für ein Token. Es wurde nichts gesendet.',
    bad_json: 'Die Antwort der Website ist nicht lesbar. Es wurde nichts gesendet.',
    no_token: 'Die Antwort der Website enthält kein Token. Es wurde nichts gesendet.',
    timeout: 'Die Website hat nicht rechtzeitig geantwortet. Es wurde nichts gesendet.',
    unreachable: 'Die Website ist nicht erreichbar. Es wurde nichts gesendet.',
  },
  alreadyLinked:
    'Ihr Konto auf dieser Website oder die Person, als die die Website Sie kennt, ist bereits verknüpft. Diese Verknüpfung bleibt unverändert.',
  notVerified:
    'Der Dienst konnte das Token der Website nicht bestätigen. Ihr Konto ist nicht verknüpft.',

  server: 'Dienst',
  serverAddress: 'Dienstadresse',
  serverNote: 'Zum Beispiel https://assistant.example.com. Der Browser fragt, ob Sie das erlauben.',
  save: 'Speichern',
  saved: 'Gespeichert.',
  badAddress: 'Das ist keine Adresse. Geben Sie eine ein, die mit https:// beginnt.',
  plainAddress:
    'Vorsicht: Diese Adresse ist nicht verschlüsselt. Nutzen Sie sie nur in einem Netz, dem Sie vertrauen.',
  noPermission: 'Ohne diese Erlaubnis kann der Dienst nicht genutzt werden.',
  notAService: 'Unter dieser Adresse antwortet kein Assistant-Dienst. Prüfen Sie die Adresse.',

  account: 'Konto',
  email: 'E-Mail',
  password: 'Passwort',
  signIn: 'Anmelden',
  signOut: 'Abmelden',
  signedInAs: (email) => `Angemeldet als ${email}`,
  code: 'Code',
  codeWanted:
    'Geben Sie den aktuellen Code Ihrer Authentifizierungs-App oder einen Wiederherstellungscode ein.',
  needsSecondFactor:
    'Ihr Konto braucht einen zweiten Faktor. Richten Sie ihn zuerst ein und melden Sie sich dann hier an.',
  passwordsOff: 'Ihre Organisation erlaubt keine Anmeldung mit Passwort.',
  signInWrong: 'E-Mail oder Passwort ist falsch.',
  tooMany: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es erneut.',

  language: 'Sprache',
  languageAuto: 'Wie der Browser',

  sites: 'Websites, die die Erweiterung sehen darf',
  sitesNote:
    'Auf diesen Websites prüft die Erweiterung von selbst, ob Sie Ihr Konto verknüpfen können. Auf allen anderen sieht sie eine Seite erst, nachdem Sie auf ihre Schaltfläche geklickt haben.',
  noSites: 'Keine.',
  forget: 'Entfernen',
  forgetSite: (site) => `${site} entfernen`,
  fixedSite: 'Von Ihrer Organisation erlaubt',

  links: 'Verknüpfte Konten',
  noLinks: 'Keine.',
  linkSince: (date) => `seit ${date}`,
  unlink: 'Verknüpfung lösen',
  unlinkFrom: (app) => `Verknüpfung mit ${app} lösen`,
  unlinkQuestion: (app) =>
    `Verknüpfung mit ${app} aufheben? Der Assistent auf deren Websites und diese Erweiterung kennen Sie dann nicht mehr als dieselbe Person.`,
  cancel: 'Abbrechen',
};
