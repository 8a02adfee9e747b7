import type { OwnTexts } from './texts.js';

export const de: OwnTexts = {
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
  setUp: 'Erweiterung einrichten',
  settings: 'Einstellungen',

  promises: [
    'Die Erweiterung zeigt, was Ihre Organisation über die geöffnete Seite weiß, und beantwortet Ihre Fragen dazu.',
    'Sie sieht eine Seite nur, wenn Sie auf die Schaltfläche der Erweiterung klicken, oder auf Websites, die Sie erlaubt haben. Der Browser fragt Sie vorher.',
    'Sie sendet die vollständige Adresse einer Seite nur auf Websites Ihrer Organisation an Ihren Dienst. Was Sie auf einer Seite eingeben, sendet sie nie.',
  ],
  signedOut:
    'Melden Sie sich an, um zu sehen, was Ihre Organisation über eine Seite weiß, und um Fragen zu stellen.',
  unreachable: 'Der Dienst ist nicht erreichbar.',
  quota: 'Ihre Fragen für diesen Monat sind aufgebraucht.',
  refused: 'Der Dienst hat das abgelehnt. Versuchen Sie es später erneut.',

  knowledgeOf: (host) => `Was Ihre Organisation über ${host} weiß`,
  ofPage: 'Auf dieser Seite',
  ofSite: 'Auf dieser Website',
  noKnowledge: 'Zu dieser Seite und ihrer Website ist noch nichts hinterlegt.',
  noneOfPage: 'Zu dieser Seite selbst ist nichts hinterlegt.',
  showAll: (n) => `Alle ${n} anzeigen`,
  more: 'Es gibt noch mehr. Fragen Sie im Chat danach.',
  unregistered: (host) => `${host} ist keine Website Ihrer Organisation`,
  unregisteredNote:
    'Zu dieser Website ist nichts hinterlegt. Ihr Dienst wurde nur nach dem Namen der Website gefragt. Die Adresse der Seite wurde nicht gesendet.',
  noPage: 'Für diese Art von Seite gibt es nichts zu zeigen.',
  noAccess:
    'Die Erweiterung sieht diese Seite nicht. Klicken Sie in der Symbolleiste des Browsers auf die Schaltfläche der Erweiterung, um es zu erlauben.',
  signedInOnly: 'Nur für Angemeldete',
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
    'Auf dieser Website lässt sich Ihr Konto nicht verknüpfen: Ihr Dienst kennt sie nicht als Website dieser Anwendung.',
  link: 'Konto verknüpfen',
  notNow: 'Nicht jetzt',
  linking: 'Wird verknüpft …',
  linkedAs: (name, app) => `Verknüpft mit ${app} als ${name}`,
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
    'Der Dienst hat das Token der Website nicht anerkannt. Ihr Konto wurde nicht verknüpft.',

  server: 'Dienst',
  serverAddress: 'Adresse des Dienstes',
  serverNote:
    'Sie erhalten diese Adresse von Ihrer Organisation. Beim Speichern fragt der Browser, ob die Erweiterung sie erreichen darf.',
  save: 'Speichern',
  saved: 'Gespeichert.',
  badAddress: 'Das ist keine Adresse. Sie sieht so aus: https://assistant.example.com',
  plainAddress:
    'Vorsicht: Diese Adresse ist nicht verschlüsselt. Nutzen Sie sie nur in einem Netz, dem Sie vertrauen.',
  noPermission:
    'Die Erweiterung braucht diese Erlaubnis, um den Dienst zu erreichen. Speichern Sie noch einmal, um erneut gefragt zu werden.',
  notAService: (url) => `Unter ${url} antwortet kein Assistant-Dienst. Prüfen Sie die Adresse.`,

  account: 'Konto',
  code: 'Code',
  codeWanted:
    'Geben Sie den aktuellen Code Ihrer Authentifizierungs-App oder einen Wiederherstellungscode ein.',
  needsSecondFactor:
    'Ihr Konto braucht einen zweiten Faktor. Richten Sie ihn zuerst ein und melden Sie sich dann hier an.',
  passwordsOff: 'Ihre Organisation erlaubt keine Anmeldung mit Passwort.',
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
  unlink: 'Verknüpfung aufheben',
  unlinkFrom: (app) => `Verknüpfung mit ${app} aufheben`,
  unlinkQuestion: (app) => `Verknüpfung Ihres Kontos mit ${app} aufheben?`,
  unlinkNote:
    'Der Assistent auf den Websites der Anwendung und diese Erweiterung kennen Sie dann nicht mehr als dieselbe Person.',
  unlinked: (app) => `Ihr Konto ist nicht mehr mit ${app} verknüpft.`,
};
