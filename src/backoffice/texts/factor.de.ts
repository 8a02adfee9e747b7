import type { Texts } from './en.js';

export const factorDe: Texts['factor'] = {
  title: 'Zweiter Faktor',
  look: 'Zweiten Faktor einrichten oder entfernen',
  about:
    'Mit einem zweiten Faktor brauchen Sie zum Anmelden Ihr Passwort und einen Code einer Authentifikator-App auf Ihrem Telefon.',
  on: 'Eingerichtet',
  off: 'Nicht eingerichtet',
  required: 'Ihre Rolle verlangt ihn.',
  renew: 'Wiederherstellungscodes ersetzen',
  renewHint: 'Die alten Codes gelten sofort nicht mehr.',
  end: 'Zweiten Faktor entfernen',
  endHint: 'Alle Ihre Sitzungen enden, auch diese. Melden Sie sich danach mit Ihrem Passwort an.',
  begin: 'Zweiten Faktor einrichten',
  beginHint: 'Danach erhalten Sie ein Geheimnis für Ihre Authentifikator-App.',
  password: 'Ihr Passwort',
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
