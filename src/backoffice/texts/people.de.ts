import type { Texts } from './en.js';
import type { peopleDoneEn } from './people.en.js';

export const peopleDe: Texts['people'] = {
  title: 'Personen',
  none: 'Noch gibt es keine Konten.',
  add: 'Person hinzufügen',
  search: 'Name oder E-Mail',
  nameHint: 'Leer gilt der Anfang der Adresse.',
  role: 'Rolle',
  roleHint:
    'Benutzer fragen. Bearbeiter pflegen außerdem Wissen und Fragen. Administratoren richten außerdem alles ein.',
  states: { active: 'Aktiv', disabled: 'Gesperrt' },
  lastSeen: 'Zuletzt hier',
  never: 'nie',
  passwordHint: (least) =>
    `Mindestens ${least} Zeichen. Teilen Sie es der Person mit. Sie kann es unter „Mein Konto“ ändern.`,
  account: 'Konto',
  access: 'Zugang',
  disable: 'Konto sperren',
  disableHint: 'Beendet sofort alle Sitzungen und Tokens dieser Person.',
  enable: 'Konto entsperren',
  enableHint:
    'Die Person kann sich wieder anmelden. Beendete Sitzungen und Tokens bleiben beendet.',
  resetPassword: 'Neues Passwort setzen',
  resetHint: (least) =>
    `Mindestens ${least} Zeichen. Alle Sitzungen und Tokens dieser Person enden.`,
  factor: 'Zweiter Faktor',
  factorOff: 'Keiner',
  resetFactorHint:
    'Für eine Person, die ihren Authentifikator verloren hat. Alle ihre Sitzungen enden. Vergewissern Sie sich, dass diese Person selbst darum bittet.',
  tokens: 'Tokens',
  tokensHint: 'Ein Token gibt einem Programm die Rechte dieser Person.',
  noTokens: 'Diese Person hat keine Tokens.',
  token: 'Token',
  tokenName: 'Zweck',
  tokenNameHint: 'Zum Beispiel der Job, der es verwendet.',
  tokenTitle: (name) => `Das Token „${name}“`,
  tokenAbout:
    'Kopieren Sie das Token jetzt. Es wird nur dieses eine Mal gezeigt. Programme senden es als „Authorization: Bearer …“.',
  makeToken: 'Token erstellen',
  days: 'Tage bis zum Ablauf',
  daysHint: 'Leer läuft das Token nie ab.',
  made: 'Erstellt',
  lastUsed: 'Zuletzt verwendet',
  expires: 'Läuft ab',
  expired: 'Abgelaufen',
  revoke: 'Widerrufen',
  revokeOf: (name) => `Das Token ${name} widerrufen`,
  revoked: 'Widerrufen',
  links: 'Verknüpfte Websites',
  linksHint: 'Websites, auf denen diese Person das Widget mit diesem Konto verwendet.',
  noLinks: 'Mit diesem Konto ist keine Website verknüpft.',
  site: 'Website',
  calledThere: 'Dort bekannt als',
  endLinkOf: (site) => `Die Verknüpfung mit ${site} beenden`,
  data: {
    title: 'Daten einer Person',
    ofPerson: 'Daten dieser Person exportieren oder löschen',
    about:
      'Für Personen, die wissen wollen, was über sie gespeichert ist, oder die es löschen lassen wollen.',
    person: 'Person',
    personHint:
      'Eine E-Mail-Adresse, oder user:7, end_user:12, visitor:… oder conversation:…, wie Gespräche und Änderungen sie nennen.',
    export: 'Exportieren',
    exportNow: 'Daten herunterladen',
    erase: 'Löschen',
    eraseNow: 'Endgültig löschen',
    eraseWarning:
      'Löscht das Konto, seine Gespräche, Fragen, Meinungen und Tokens. Änderungen und Verbrauch bleiben ohne die Person verzeichnet. Das lässt sich nicht rückgängig machen.',
    again: 'Person noch einmal eingeben',
    againHint: 'Wie oben. Danach wird Ihr eigenes Passwort verlangt.',
    erased: 'Die Daten der Person sind gelöscht',
    erasedRows: (count) => `Gelöschte oder anonymisierte Zeilen: ${count}. Gefunden als:`,
    linked: (names) => `Dieselbe Person ist auch als ${names} bekannt. Diese Daten bleiben.`,
    entriesStay:
      'Diese veröffentlichten Einträge beantworten Fragen der Person. Sie bleiben. Prüfen Sie sie auf personenbezogene Daten:',
    backups: 'Frühere Sicherungen enthalten die Daten weiterhin.',
    notRewritten:
      'Der Server entfernt die letzten Spuren innerhalb einer Stunde aus der Datenbankdatei.',
  },
};

export const proveDe: Texts['prove'] = {
  title: 'Mit Ihrem Passwort bestätigen',
  about: 'Diese Änderung verlangt Ihr eigenes Passwort. Noch ist nichts geändert.',
  code: 'Code Ihrer Authentifikator-App',
  button: 'Bestätigen',
  byProvider:
    'Hat Ihr Konto kein Passwort, melden Sie sich ab, über Ihren Identitätsanbieter wieder an, und wiederholen Sie die Änderung.',
  kept: 'Ich habe es kopiert',
};

export const peopleDoneDe: typeof peopleDoneEn = {
  personAdded: 'Das Konto ist angelegt. Die Person kann sich jetzt anmelden.',
  personDisabled: 'Das Konto ist gesperrt. Alle Sitzungen und Tokens sind beendet.',
  personEnabled: 'Das Konto ist entsperrt.',
  passwordSet:
    'Das neue Passwort ist gesetzt. Alle Sitzungen und Tokens dieser Person sind beendet.',
  factorReset: 'Der zweite Faktor ist entfernt. Alle Sitzungen dieser Person sind beendet.',
  tokenRevoked: 'Das Token ist widerrufen. Programme können es nicht mehr verwenden.',
  linkEnded: 'Die Verknüpfung ist beendet.',
};

export const factorDe: Texts['factor'] = {
  title: 'Zweiter Faktor',
  look: 'Zweiten Faktor einrichten oder entfernen',
  about:
    'Mit einem zweiten Faktor brauchen Sie zum Anmelden Ihr Passwort und einen Code einer Authentifikator-App auf Ihrem Telefon.',
  off: 'Nicht eingerichtet',
  required: 'Ihre Rolle verlangt ihn.',
  renew: 'Wiederherstellungscodes ersetzen',
  renewHint: 'Die alten Codes gelten sofort nicht mehr.',
  endHint: 'Alle Ihre Sitzungen enden, auch diese. Melden Sie sich danach mit Ihrem Passwort an.',
  begin: 'Zweiten Faktor einrichten',
  beginHint: 'Danach erhalten Sie ein Geheimnis für Ihre Authentifikator-App.',
  code: 'Code der Authentifikator-App oder Wiederherstellungscode',
  addHint:
    'Fügen Sie Ihrer Authentifikator-App ein Konto hinzu und geben Sie dort dieses Geheimnis ein. Es wird nur dieses eine Mal gezeigt.',
  open: 'In der Authentifikator-App dieses Geräts öffnen',
  confirm: 'Mit dem ersten Code bestätigen',
  confirmHint:
    'Geben Sie den Code ein, den die App jetzt zeigt. Alle Ihre anderen Sitzungen enden.',
  codes: 'Wiederherstellungscodes',
  codesHint:
    'Bewahren Sie diese Codes sicher auf. Jeder ersetzt einmal einen Code der App, wenn Sie Ihr Telefon verlieren. Sie werden nur dieses eine Mal gezeigt.',
  codesLeft: (count) =>
    count === 1
      ? '1 Wiederherstellungscode ist übrig.'
      : `${count} Wiederherstellungscodes sind übrig.`,
};
