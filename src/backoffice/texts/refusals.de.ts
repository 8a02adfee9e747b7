import type { Refusals } from './refusals.js';

export const refusalsDe = {
  reasons: {
    // Ein Feld
    missing: 'fehlt',
    'missing.domain': 'fehlt: Nennen Sie die Domain, zu der der Eintrag gehört',
    'missing.sure': 'Setzen Sie das Häkchen, wenn Sie sicher sind',
    empty: 'darf nicht leer sein',
    same_text: 'muss etwas anderes sein als der Text',
    not_allowed: 'hat einen Wert, den es nicht gibt',
    too_small_text: 'muss mindestens {least} Zeichen haben',
    too_big_text: 'darf höchstens {most} Zeichen haben',
    too_small_number: 'muss mindestens {least} sein',
    too_big_number: 'darf höchstens {most} sein',
    too_small_list: 'muss mindestens {least} Angaben haben',
    too_big_list: 'darf höchstens {most} Angaben haben',
    no_number: 'muss eine Zahl sein',
    wrong: 'hat nicht die richtige Form',
    'wrong.email': 'muss eine E-Mail-Adresse sein',
    unknown_field: 'ist hier unbekannt',
    twice: 'kam mehrmals an; senden Sie es einmal',
    broken_text: 'enthält Zeichen, die kein Text sind; tippen Sie ihn neu',
    must_be: 'muss „{name}“ sein',
    again: 'muss dieselbe Angabe sein wie darüber',
    no_email: 'muss eine E-Mail-Adresse sein',
    password_length: 'muss {least} bis 1000 Zeichen haben',
    wrong_password: 'stimmt nicht',
    wrong_code: 'fehlt, stimmt nicht oder wurde schon benutzt. Warten Sie auf den nächsten Code',
    time_zone: 'ist keine bekannte Zeitzone; schreiben Sie sie wie Europe/Berlin',
    no_day: 'ist kein Tag seit 1970; schreiben Sie ihn wie 2026-03-31',
    days_turned: 'liegt vor dem ersten Tag; geben Sie den früheren Tag zuerst an',
    days_many: 'liegt zu weit zurück; zählen Sie höchstens {most} Tage auf einmal',
    page_address:
      'muss eine ganze http- oder https-Adresse sein, z. B. https://docs.example.com/install',
    host_name: 'muss ein Hostname sein, z. B. docs.example.com oder *.example.com',
    url_pattern:
      'muss mit / beginnen und darf * nur als letzten Abschnitt haben, z. B. /rechnungen/:id oder /docs/*',
    view_path: 'muss ein Pfad sein, der mit / beginnt und kein * enthält, z. B. /rechnungen/:id',
    domain_public: 'Unter {host} kann jeder Namen anmelden. Nennen Sie einen eigenen Namen',
    webhook_private:
      'muss im öffentlichen Internet liegen, solange der Betreiber webhooks.allow_private nicht setzt',
    source_name:
      'muss ein Name aus 1 bis 100 Zeichen sein, ohne Schrägstriche und ohne Leerzeichen am Rand',
    source_address:
      'muss eine http- oder https-Adresse sein, z. B. https://docs.example.com/guide/',
    source_browser: 'braucht den Browser, den der Betreiber in sources.browser nennt',
    source_private:
      'muss im öffentlichen Internet liegen, solange der Betreiber sources.allow_private nicht setzt',
    source_taken: 'Es gibt schon eine Quelle {name}.',
    site_unreadable:
      'Die Website kann nicht gelesen werden: Sie antwortet nicht, verlangt eine Anmeldung oder führt zu einer anderen, oder ihre robots.txt verbietet es.',
    source_running: '{name} wird gerade gelesen.',
    webhook_address: 'muss eine http- oder https-Adresse ohne Benutzer und Passwort sein',
    page_of_others:
      'Diese Seite gehört zu keiner App dieser Organisation, also gibt es für sie kein Wissen',
    only_published: 'gilt nur, wenn Sie die Antwort veröffentlichen',
    // Anmeldung und Konten
    wrong_sign_in: 'Die E-Mail-Adresse oder das Passwort stimmt nicht.',
    no_password: 'Dieses Konto hat kein Passwort: Es meldet sich über einen Identitätsanbieter an.',
    no_work_here:
      'Dieses Konto darf Fragen stellen, aber nicht im Backoffice arbeiten. Bitten Sie einen Administrator um die Rolle Bearbeiter.',
    link_over:
      'Dieser Link wurde schon benutzt oder ist älter als fünf Minuten. Erzeugen Sie einen neuen: assistant open backoffice',
    sign_in_over: 'Diese Anmeldung ist vorbei. Beginnen Sie neu.',
    code_too_late: 'Das hat zu lange gedauert. Geben Sie Ihr Passwort noch einmal ein.',
    not_operator:
      'Das betrifft die ganze Installation. Fragen Sie einen Administrator der ersten Organisation.',
    backup_of_all:
      'Eine Sicherung enthält die Daten aller Organisationen. Erstellen Sie sie auf der Maschine des Servers: assistant backup',
    no_examination:
      'Die Untersuchung hat kein Ergebnis hinterlassen. Führen Sie auf der Maschine des Servers aus: assistant doctor',
    form_too_late: 'Das hat zu lange gedauert. Öffnen Sie die Seite neu.',
    factor_there: 'Dieses Konto hat schon einen zweiten Faktor. Schalten Sie ihn zuerst ab.',
    factor_missing: 'Dieses Konto hat keinen zweiten Faktor. Richten Sie zuerst einen ein.',
    own_factor:
      'Das ist Ihr eigenes Konto. Schalten Sie den zweiten Faktor unter „Mein Konto“ mit einem Code ab, oder fragen Sie einen anderen Administrator.',
    own_account:
      'Das ist Ihr eigenes Konto, und es hat einen zweiten Faktor. Ändern Sie das Passwort unter „Mein Konto“, oder fragen Sie einen anderen Administrator.',
    own_account_erase:
      'Das ist Ihr eigenes Konto. Bitten Sie einen anderen Administrator, es zu löschen.',
    last_admin:
      '{email} ist der letzte aktive Administrator. Machen Sie zuerst jemand anderen zum Administrator.',
    account_taken: 'Für {email} gibt es schon ein Konto.',
    token_name: 'Der Token braucht einen Namen.',
    token_days: 'Ein Token gilt höchstens {most} Tage.',
    person_form:
      'Schreiben Sie die Person als E-Mail-Adresse, user:<Nummer>, end_user:<Nummer>, visitor:<UUID> oder conversation:<UUID>.',
    nothing_stored: 'Unter dieser Angabe ist hier nichts gespeichert.',
    // Websites
    app_taken: 'Die Organisation hat schon eine App namens {name}.',
    app_in_use:
      'Die App {app} hat noch Einträge, Dokumente oder Domains. Löschen oder verschieben Sie diese zuerst.',
    no_app: 'Diese Organisation hat noch keine App. Legen Sie unter „Websites“ eine an.',
    view_taken: 'Die App hat schon eine Ansicht von {path}.',
    view_in_use:
      'An diese Ansicht gebundene Einträge: {count}. Binden Sie sie neu, oder löschen Sie sie zuerst.',
    domain_taken: 'Die Domain {host} gehört schon zu einer App.',
    domain_foreign: 'Die Domain {host} gehört einer anderen Organisation.',
    domain_of_other_app: 'Die Domain {host} gehört zu einer anderen App als {app}.',
    domain_unclaimed:
      'Keine App hat die Domain {host}. Fügen Sie sie unter „Websites“ einer App hinzu.',
    domain_operators:
      'Nur der Betreiber dieser Installation kann {host} anmelden: assistant domains create --host "{host}" --app <app>',
    key_revoked: 'Der Schlüssel ist widerrufen: Erstellen Sie einen neuen.',
    // Dokumente und Einträge
    file_too_large:
      'Die Datei ist größer als {most} MB. Teilen Sie sie, oder exportieren Sie sie mit kleineren Bildern.',
    entry_changed:
      'Jemand anderes hat den Eintrag inzwischen geändert. Lesen Sie ihn neu, und wiederholen Sie Ihre Änderung.',
    replaces_another:
      'Dieser Entwurf ersetzt einen anderen Eintrag. Nehmen Sie ihn in seinem Dokument an: So tritt sein Text an die Stelle des alten.',
    draft_published:
      'Der Eintrag ist veröffentlicht: Nehmen Sie ihn zurück, bevor Sie ihn ablehnen.',
    text_replaced: 'Sein Text hat einen älteren ersetzt. Bearbeiten Sie stattdessen den Eintrag.',
    read_again: 'Das Dokument wurde seither neu gelesen: Seine Entwürfe sind beim neueren.',
    not_of_batch: 'Nichts wurde angenommen: Einige Einträge gehören nicht zu diesem Dokument.',
    not_compared:
      'Das Dokument ist eine neue Fassung und wird noch mit den alten Einträgen verglichen. Nehmen Sie seine Entwürfe an, wenn es fertig ist.',
    later_version:
      'Seither wurde eine neuere Fassung des Dokuments hochgeladen. Laden Sie diese Datei noch einmal hoch, wenn sie gelten soll.',
    not_failed: 'Nur ein fehlgeschlagenes Dokument lässt sich neu lesen, und dieses ist keines.',
    source_is_read:
      'Die Quelle wird gerade gelesen. Nichts wurde zurückgenommen. Versuchen Sie es noch einmal, wenn der Lauf zu Ende ist.',
    other_drafts:
      'Nichts wurde übernommen: Es sind jetzt {now} Entwürfe, nicht {told}. Sehen Sie sie an, und versuchen Sie es noch einmal.',
    left_empty:
      'Von seinem Text blieben höchstens Überschriften. Lehnen Sie den Entwurf in der Prüfung ab.',
    not_completed:
      'Das Dokument ist noch nicht fertig gelesen. Ändern Sie mehrere Entwürfe zusammen, wenn es fertig ist.',
    other_entries:
      'Inzwischen passen {now} Einträge zum Filter, nicht {told}. Sehen Sie sie an, und versuchen Sie es noch einmal.',
    form_changed: 'Dieses Formular wurde verändert. Öffnen Sie die Liste neu.',
    form_unreadable: 'Das Formular ließ sich nicht lesen. Öffnen Sie die Seite neu.',
    // Fragen, Antworten, Zustellungen
    request_resolved: 'Die Frage ist beantwortet: Öffnen Sie sie wieder, bevor Sie sie verwerfen.',
    no_question: 'Schreiben Sie eine Frage.',
    units_used:
      'Die {units} Einheiten dieses Monats sind verbraucht, und die Frage wurde nicht gespeichert. Bitten Sie einen Administrator um mehr, oder fragen Sie ab {day} (UTC) wieder.',
    delivered_already: 'Die Nachricht ist schon zugestellt und wird nicht noch einmal gesendet.',
    too_many: 'Zu viele Anfragen auf einmal. Versuchen Sie es in {seconds} s wieder.',
  },
  codes: {
    unauthenticated: 'Ihre Sitzung ist beendet. Melden Sie sich neu an.',
    second_factor_required:
      'Geben Sie den Code Ihrer Authenticator-App ein, oder einen Wiederherstellungscode.',
    second_factor_missing:
      'Ihre Rolle braucht einen zweiten Faktor. Richten Sie ihn ein (assistant login --set-up-two-factor), und melden Sie sich dann an.',
    password_sign_in_off:
      'Diese Organisation meldet sich über ihren Identitätsanbieter an, nicht mit Passwort.',
    forbidden: 'Ihre Rolle hat dieses Recht nicht. Fragen Sie einen Administrator.',
    origin_not_allowed:
      'Diese Änderung kommt nicht von einer Seite dieses Servers. Öffnen Sie die Seite neu, und versuchen Sie es noch einmal.',
    not_found: 'Es ist nicht da, oder nicht mehr. Öffnen Sie die Liste, und suchen Sie es dort.',
    method_not_allowed: 'Das geht hier nicht. Öffnen Sie die Seite neu.',
    request_timeout: 'Die Anfrage kam zu langsam an. Versuchen Sie es noch einmal.',
    cancelled: 'Der Vorgang wurde abgebrochen. Versuchen Sie es noch einmal.',
    interrupted: 'Die Antwort wurde unterbrochen. Fragen Sie noch einmal.',
    body_too_large: 'Das Formular ist zu groß. Kürzen Sie den Text.',
    unsupported_media_type: 'Das Formular hat eine fremde Form. Öffnen Sie die Seite neu.',
    rate_limited: 'Zu viele Anfragen auf einmal. Versuchen Sie es gleich wieder.',
    internal: 'Auf dem Server ist etwas schiefgegangen. Der Grund steht in seinem Protokoll.',
    shutting_down: 'Der Server wird beendet. Versuchen Sie es gleich wieder.',
    database_busy: 'Die Datenbank ist gerade beschäftigt. Versuchen Sie es gleich wieder.',
    database_readonly:
      'Die Datenbank kann nur gelesen werden. Sagen Sie es dem Betreiber der Installation.',
    database_damaged: 'Die Datenbank ist beschädigt. Sagen Sie es dem Betreiber der Installation.',
    no_space: 'Auf dem Server ist kein Platz mehr. Sagen Sie es dem Betreiber der Installation.',
    not_a_pdf: 'Die Datei ist keine PDF. Exportieren Sie das Dokument als PDF.',
    unsupported_kind:
      'Dateien dieser Art werden nicht gelesen, oder ihr Inhalt ist ein anderer, als ihr Name sagt. Gelesen werden PDF, Word (.docx), OpenDocument (.odt), Markdown, HTML und Text.',
    encrypted:
      'Die Datei ist verschlüsselt. Speichern Sie sie ohne Passwort, und laden Sie sie neu hoch.',
    damaged: 'Die Datei ist beschädigt. Exportieren Sie das Dokument noch einmal.',
    no_extractable_text:
      'Die Datei enthält keinen Text, nur Bilder oder nichts. Lassen Sie bei einem Scan eine Texterkennung (OCR) laufen, und laden Sie das Ergebnis hoch.',
    too_many_pages: 'Die PDF hat mehr Seiten als erlaubt. Teilen Sie sie.',
    timeout: 'Das Lesen der Datei dauerte zu lange. Teilen Sie sie.',
    out_of_memory: 'Die Datei brauchte zu viel Speicher. Teilen Sie sie.',
  },
  fields: {
    address: 'Adresse',
    policy: 'Was mit Entwürfen geschieht',
    every_minutes: 'Wie oft sie gelesen wird',
    report_to: 'Bericht per E-Mail',
    render: 'Skripte ausführen',
    include: 'Nur diese Pfade',
    exclude: 'Diese Pfade nicht',
    depth: 'Links von der ersten Seite',
    most_pages: 'Seiten, höchstens',
    again: 'Person, noch einmal',
    app: 'App',
    app_id: 'App',
    appearance: 'Aussehen',
    change: 'Änderung',
    code: 'Code',
    content: 'Text',
    count: 'Anzahl',
    current_password: 'Ihr Passwort',
    days: 'Tage',
    default_knowledge_visibility: 'Wer neue Einträge sehen darf',
    delete_gone: 'Weggefallene löschen',
    display_name: 'Name',
    domain: 'Domain',
    email: 'E-Mail',
    entries: 'Einträge',
    entry: 'Eintrag',
    family: 'Sitzung',
    file: 'Datei',
    gone: 'Weggefallene Dokumente',
    find: 'Text',
    replacement: 'Neuer Text',
    whole_lines: 'Nur ganze Zeilen',
    format: 'Format',
    from: 'Erster Tag',
    greeting: 'Begrüßung',
    held: 'Formular',
    host: 'Domain',
    id: 'Nummer',
    kind: 'Art',
    language: 'Sprache',
    left_out: 'Auslassen',
    list: 'Liste',
    logo: 'Logo',
    name: 'Name',
    new_password: 'Neues Passwort',
    next: 'Nächster Entwurf',
    overlap: 'Übergangszeit',
    password: 'Passwort',
    path: 'Pfad',
    person: 'Person',
    position: 'Position',
    publish: 'Veröffentlichen',
    question: 'Frage',
    response: 'Antwort',
    restored: 'Fassung',
    role: 'Rolle',
    second_title: 'Titel des zweiten Teils',
    shortcuts: 'Tastenkürzel',
    status: 'Zustand',
    suggestions: 'Vorschläge',
    sure: 'Sicher',
    theme: 'Aussehen',
    then: 'Danach',
    ticket: 'Anmeldung',
    tier: 'Sichtbarkeit',
    time_zone: 'Zeitzone',
    topic: 'Thema',
    title: 'Titel',
    to: 'Letzter Tag',
    token: 'Token',
    total: 'Anzahl',
    typed: 'Name zur Bestätigung',
    units: 'Einheiten im Monat',
    url: 'Adresse',
    url_pattern: 'Seiten',
    version: 'Version',
    visibility: 'Sichtbarkeit',
  },
} as const satisfies Refusals;
