import type { Texts } from './en.js';
import type { sourcesDoneEn } from './sources.en.js';

export const sourcesDe: Texts['sources'] = {
  title: 'Quellen',
  about:
    'Eine Quelle ist eine Website oder ein Ordner, der immer wieder gelesen wird. Neues und Geändertes wird zu Entwürfen. Ordner werden auf der Kommandozeile des Servers hinzugefügt.',
  none: 'Noch gibt es keine Quellen. Fügen Sie die Adresse einer Website hinzu, die Ihr Produkt beschreibt.',
  add: 'Website hinzufügen',
  nameHint: 'Diesen Namen tragen auch ihre Dokumente.',
  addressHint:
    'Gelesen werden die Seiten unter dieser Adresse, z. B. https://docs.example.com/guide/.',
  kinds: { site: 'Website', folder: 'Ordner' },
  policy: 'Was mit Entwürfen geschieht',
  policies: {
    review: 'Eine Person entscheidet über alle',
    publish_changes: 'Neue Fassungen veröffentlichter Einträge werden veröffentlicht',
    publish: 'Alle werden veröffentlicht, und Weggefallenes wird zurückgenommen',
  },
  policyHint: 'Einträge, deren Text eine Person bearbeitet hat, warten immer auf eine Person.',
  every: 'Wie oft sie gelesen wird',
  intervals: {
    '': 'Nur auf Anforderung',
    '60': 'Stündlich',
    '1440': 'Täglich',
    '10080': 'Wöchentlich',
  },
  everyMinutes: (minutes) => `Alle ${minutes} Minuten`,
  reportTo: 'Bericht per E-Mail',
  reportToHint: 'Nach jedem Lauf, der etwas gebracht hat.',
  reportToNobody: 'An niemanden',
  reportToMe: 'An mich',
  reportToOther: 'An jemand anderen',
  include: 'Nur diese Pfade',
  exclude: 'Diese Pfade nicht',
  patternsHint: 'Ein Muster je Zeile. * steht für beliebige Zeichen, wie in /docs/*.',
  depth: 'Links von der ersten Seite, höchstens',
  mostPages: 'Seiten, höchstens',
  render: 'Die Skripte leerer Seiten ausführen, wo der Betreiber einen Browser eingerichtet hat',
  numberHint: (number) => `Leer für ${number}.`,
  settings: 'Einstellungen',
  lastRun: 'Letzter Lauf',
  nextRun: 'Nächster Lauf',
  runs: 'Läufe',
  neverRun: 'Sie wurde noch nicht gelesen.',
  states: { running: 'Läuft', completed: 'Fertig', failed: 'Gescheitert', waiting: 'Wartet' },
  counts: {
    new: 'Neu',
    changed: 'Geändert',
    moved: 'Umgezogen',
    unchanged: 'Unverändert',
    gone: 'Weggefallen',
    failed: 'Gescheitert',
    published: 'Veröffentlicht',
    removed: 'Zurückgenommen',
  },
  waiting: (drafts, documents) => {
    const all = documents === '1' ? 'einem Dokument' : `${documents} Dokumenten`;
    return drafts === '1'
      ? 'Ein Entwurf wartet auf eine Entscheidung.'
      : `${drafts} Entwürfe aus ${all} warten auf eine Entscheidung.`;
  },
  goneTitle: (documents) =>
    documents === '1'
      ? 'Ein Dokument gibt es in der Quelle nicht mehr.'
      : `${documents} Dokumente gibt es in der Quelle nicht mehr.`,
  goneNone: 'In der Quelle fehlt nichts',
  goneWhat:
    'Antworten verwenden ihre veröffentlichten Einträge noch. Wenn Sie sie zurücknehmen, werden diese zu Entwürfen und behalten ihren Verlauf, sodass Sie sie wieder veröffentlichen können. Andere Entwürfe dieser Dokumente werden gelöscht. Wenn sie nur eine Zeit lang fehlen, etwa auf einer Platte, die nicht eingebunden ist, lesen Sie stattdessen die Quelle noch einmal.',
  goneDrafts: 'Andere Entwürfe',
  takeBack: 'Zurücknehmen',
  takeBackTicked: 'Die angekreuzten zurücknehmen',
  run: 'Jetzt lesen',
  runHint: 'Ein Server liest sie, sobald einer frei ist.',
  preview: 'Vorschau',
  previewHint: (pages) =>
    `Liest jetzt bis zu ${pages} Seiten und zeigt, was sie brächten. Nichts wird gespeichert.`,
  previewNone: 'Keine Seite wurde gefunden.',
  page: 'Seite',
  statuses: {
    new: 'Neu',
    changed: 'Geändert',
    moved: 'Umgezogen',
    unchanged: 'Unverändert',
    gone: 'Weggefallen',
  },
  leftOut: 'Ausgelassen',
  reason: 'Grund',
  documents: 'Was neu, geändert, umgezogen oder weggefallen ist',
  movedFrom: 'vorher:',
  reasons: {
    robots: 'robots.txt verbietet es',
    noindex: 'die Seite möchte nicht erfasst werden',
    sign_in: 'die Seite verlangt eine Anmeldung',
    client_rendered: 'die Seite ist leer, bis ihre Skripte laufen',
    canonical: 'die Seite wird unter ihrer anderen Adresse gelesen',
    duplicate: 'derselbe Inhalt wird unter einer anderen Adresse gelesen',
    other_site: 'die Adresse führt zu einer anderen Website',
    redirects: 'zu viele Weiterleitungen',
    not_found: 'nicht gefunden',
    http_status: 'die Website antwortete mit einem Fehler',
    content_type: 'eine Art von Datei, die nicht gelesen wird',
    too_large: 'zu groß',
    timeout: 'keine Antwort in der Zeit',
    unreachable: 'nicht lesbar',
    no_text: 'die Seite hat keinen eigenen Text',
    refused: 'nicht speicherbar',
    query: 'eine von vielen Adressen, die sich nur in der Abfrage unterscheiden',
  },
  endings: {
    pages: 'Die Website hat mehr Seiten, als gelesen werden dürfen.',
    bytes: 'Die Seiten zusammen waren zu groß, daher wurde der Rest nicht gelesen.',
    time: 'Es dauerte zu lange, daher wurde der Rest nicht gelesen.',
    failures:
      'Die Website antwortete zehnmal nacheinander nicht, daher wurde der Rest nicht gelesen.',
    cancelled: 'Der Lauf wurde angehalten.',
  },
  delete: 'Diese Quelle löschen',
  deleteWarning: 'Ihre Dokumente und Einträge bleiben. Die Aufzeichnung ihrer Läufe wird gelöscht.',
  deleteSurely: 'Endgültig löschen',
};

export const sourcesDoneDe: typeof sourcesDoneEn = {
  goneTakenBack: 'Zurückgenommen: Antworten verwenden ihre Einträge nicht mehr.',
  goneReadAgain:
    'Dokumente, die seither neu gelesen wurden, bleiben, wie sie sind. Lesen Sie die Quelle, damit die Liste wieder stimmt.',
  sourceAsked: 'Sie wird gelesen, sobald ein Server frei ist.',
};
