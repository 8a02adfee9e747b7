import type { Findings } from './findings.js';

const wait =
  'Warten Sie: assistant serve und assistant worker erledigen das, oder sofort: assistant reindex';
const repair = 'Führen Sie aus: assistant doctor --repair';
const restart = 'Starten Sie ihn neu: {restart}';
const space = 'Schaffen Sie Platz, oder verlegen Sie database.path auf eine größere Platte.';
const mayRead = {
  read_only:
    'Sein Dateisystem ist schreibgeschützt. Den Grund nennt das Protokoll des Systems. Hängen Sie es zum Schreiben ein, oder verlegen Sie database.path auf eine andere Platte.',
  rights: 'Lassen Sie diesen Benutzer lesen und schreiben: {command}',
  other:
    'Führen Sie das als der Benutzer aus, dem er gehört, wie es der Server tut, oder geben Sie ihn diesem: {command}',
};
const modelTrouble = {
  not_running: 'Starten Sie Ollama dort (ollama serve), oder berichtigen Sie ollama.url.',
  not_ollama: 'Dort antwortet ein anderer Server. Berichtigen Sie ollama.url.',
  model_missing: 'Installieren Sie es dort mit: ollama pull {model}',
  busy: 'Es hat zu viel zu tun. Warten Sie, oder erhöhen Sie dort OLLAMA_MAX_QUEUE oder OLLAMA_NUM_PARALLEL.',
  too_slow:
    'Es antwortet nicht rechtzeitig. Prüfen Sie, ob es dort läuft (ollama serve) und ob eine Firewall die Verbindung sperrt, oder berichtigen Sie ollama.url.',
  broke_off:
    'Die Verbindung brach ab. Geschieht das wieder, lesen Sie das Protokoll von Ollama: Vielleicht reicht der Speicher nicht.',
  other: 'Den Grund nennt auf der Maschine des Servers: assistant doctor',
};

export const findingsDe: Findings = {
  // Prozesse
  server_unknown: [
    'Der Zustand des Servers ist unbekannt, denn dieser Benutzer darf {folder} nicht lesen',
    'Führen Sie das als der Benutzer aus, unter dem der Server läuft.',
  ],
  server_runs: ['Server unter {url} seit {since}, Version {version}, Prozess {pid}'],
  server_silent: [
    'Der Server unter {url}, Prozess {pid}, läuft seit {since} und antwortet nicht',
    'Lesen Sie sein Protokoll: assistant logs. Dann starten Sie ihn neu: {restart}',
  ],
  server_old: [
    'Der Server unter {url} läuft seit {since} mit Version {version}, installiert ist {installed}',
    restart,
  ],
  worker_runs: ['Worker seit {since}, Version {version}, Prozess {pid}'],
  worker_silent: [
    'Der Worker, Prozess {pid}, läuft seit {since} und antwortet nicht',
    'Lesen Sie sein Protokoll: assistant logs. Dann starten Sie ihn neu: {restart}',
  ],
  worker_old: [
    'Der Worker läuft seit {since} mit Version {version}, installiert ist {installed}',
    restart,
  ],
  no_server: ['Es läuft kein Server', 'Starten Sie ihn: {start}'],
  no_worker: [
    'Kein Prozess liest die wartenden Dokumente: {waiting}',
    'Starten Sie einen Worker: assistant worker',
  ],
  queue: [
    '{waiting} warten, {running} werden gelesen, {failed} sind gescheitert',
    'Sehen Sie den Grund an, dann wiederholen oder löschen Sie sie: assistant batches list --status failed',
  ],
  sources: ['{total}, davon laufen {running}, alle wurden in {ago} gelesen'],
  sources_unread: ['{total}, davon laufen {running}, einige wurden noch nicht gelesen'],
  sources_troubled: [
    '{total}, davon scheitern {failing} und {overdue} sind überfällig: {names}',
    'Sehen Sie den Grund an: assistant sources list. Was überfällig ist, wartet auf assistant serve oder assistant worker.',
  ],
  drafts: ['zu prüfen: {count}', 'Weiter mit: assistant knowledge list --status draft'],
  requests: ['offen: {count}', 'Weiter mit: assistant requests list --status open'],
  // Dateien und Einstellungen
  no_config: ['Es gibt keine Datei, die Vorgaben gelten', 'Schreiben Sie eine mit: assistant init'],
  config_open: [
    '{file} enthält Geheimnisse, und jeder Benutzer dieser Maschine kann sie lesen',
    'Lassen Sie nur ihren Besitzer heran: chmod 600 {file}',
  ],
  disk: ['{folder}, {free} frei', space],
  no_folder: ['Den Ordner {folder} gibt es nicht'],
  folder_closed: [
    '{folder} oder die Datenbank darin lässt sich nicht lesen und schreiben',
    mayRead,
  ],
  rights_open: [
    'Jeder Benutzer dieser Maschine kann {database} lesen',
    'Lassen Sie nur ihren Besitzer heran: chmod 700 {folder}',
  ],
  no_backup: [
    'Es gibt noch keine',
    'Erstellen Sie jede Nacht eine, und bewahren Sie sie auch anderswo auf: assistant backup',
  ],
  backup_in_future: [
    'Das Datum der letzten liegt in der Zukunft ({made} UTC), also ging die Uhr damals falsch, oder sie geht es jetzt: {file}',
    'Stellen Sie die Uhr. Wenn die der Sicherung falsch ging, verschieben Sie die Datei in einen anderen Ordner, und erstellen Sie eine neue: assistant backup',
  ],
  backup_unverified: [
    'Die letzte ist von {made} UTC, ungeprüft: {file}',
    'Erstellen Sie jede Nacht eine, und bewahren Sie sie auch anderswo auf: assistant backup',
  ],
  backup_verified: [
    'Die letzte ist von {made} UTC, geprüft {verified}: {file}',
    'Erstellen Sie jede Nacht eine, und bewahren Sie sie auch anderswo auf: assistant backup',
  ],
  clock_before_program: [
    'Sie zeigt {now}, aber dieses Programm wurde erst {at} installiert',
    'Stellen Sie die Uhr dieser Maschine: timedatectl set-ntp true',
  ],
  clock_before_change: [
    'Sie zeigt {now}, aber die letzte Änderung ist von {at}',
    'Stellen Sie die Uhr dieser Maschine: timedatectl set-ntp true',
  ],
  mail_answers: ['{place} antwortet'],
  mail_password: [
    '{place} nimmt die Anmeldung nicht an',
    'Berichtigen Sie mail.user und das Passwort (ASSISTANT_MAIL_PASSWORD).',
  ],
  mail_host: ['Der Host von {place} ist unbekannt', 'Berichtigen Sie mail.host.'],
  mail_security: [
    '{place} lässt sich so nicht verschlüsselt ansprechen',
    'Setzen Sie mail.security auf das, was der Server spricht: starttls (587), tls (465) oder none.',
  ],
  mail_silent: [
    '{place} antwortet nicht wie ein Mailserver',
    'Berichtigen Sie mail.host, mail.port und mail.security (587 starttls, 465 tls, 25 none), oder starten Sie den Server. Ohne E-Mail lassen Sie mail.host leer.',
  ],
  recognition_off: ['Aus (ingestion.ocr): Scans werden abgelehnt'],
  recognition_untried: ['An ({mode}), nicht geprüft'],
  recognition_works: ['An ({mode}): Englisch, Spanisch, Deutsch'],
  recognition_memory: [
    'ingestion.thread_memory_mb ist {memory}, und eine gescannte Seite kann {least} brauchen',
    'Erhöhen Sie es: assistant config set ingestion.thread_memory_mb {least}',
  ],
  recognition_fails: [
    'An ({mode}), startet aber nicht',
    'Installieren Sie diese Version neu. Bis dahin: assistant config set ingestion.ocr off',
  ],
  key_wrong: [
    'Er lässt sich nicht lesen oder passt nicht zu dem, was gespeichert ist',
    'Legen Sie den richtigen Schlüssel zurück, oder setzen Sie die Client-Geheimnisse (assistant sso edit) und die zweiten Faktoren (assistant users reset-two-factor) neu.',
  ],
  key_fits: ['Er passt zu dem, was gespeichert ist'],
  key_of_one_machine: [
    'Nur diese Maschine hat ihn, aber die Datenbank dient auch anderen',
    'Geben Sie allen Servern den Text von {file} als auth.secrets_key (ASSISTANT_AUTH_SECRETS_KEY).',
  ],
  key_open: ['Andere können ihn lesen', 'Lassen Sie nur seinen Besitzer heran: chmod 600 {file}'],
  // Datenbank
  no_database: ['Unter {path} gibt es keine', 'Erstellen Sie sie mit: assistant init'],
  database_elsewhere: [
    'Unter {path} gibt es keine',
    'Die Dienste dieser Maschine nutzen eine andere Installation: {installation}',
  ],
  database_newer: [
    'Eine neuere Version dieses Programms hat sie benutzt',
    'Aktualisieren Sie dieses Programm auf die Version, mit der die Datenbank zuletzt benutzt wurde.',
  ],
  database_damaged: [
    'Sie ist beschädigt',
    'Spielen Sie die letzte Sicherung ein: assistant backup list, dann: assistant restore <file>',
  ],
  database_busy: ['Sie ist gerade belegt', 'Warten Sie ab, und sehen Sie noch einmal nach.'],
  database_closed: ['Sie lässt sich nicht öffnen', mayRead],
  no_space: ['Die Platte ist voll', space],
  up_to_date: ['auf dem neuesten Stand'],
  migrations_pending: ['Es fehlen: {names}', 'Führen Sie aus: assistant upgrade'],
  contents_agree: ['Zeilen, Suchindex, Vektoren und Zähler stimmen überein'],
  damaged_indexes: ['Indexe der Datenbank stimmen nicht mit ihren Tabellen überein', repair],
  damaged_passages: ['Passagen von Einträgen fehlen oder weichen von ihnen ab', repair],
  damaged_search_index: ['Der Suchindex weicht von den Passagen ab', repair],
  damaged_counters: ['Die Zahlen der Einträge je Seite weichen von den Einträgen ab', repair],
  damaged_stored_vectors: ['Vektoren fehlen, sind überzählig oder unbrauchbar', repair],
  damaged_state: ['Angaben der Datenbank über sich selbst fehlen oder sind falsch', repair],
  damaged_references: ['Zeilen verweisen auf andere, die es nicht gibt', repair],
  damaged_files: ['Hochgeladene Dateien sind unvollständig oder beschädigt', repair],
  damaged_leases: ['Arbeit ist zu lange vergeben oder wartet zu lange', repair],
  // Organisationen
  no_organization: ['Es gibt keine', 'Richten Sie eine ein mit: assistant init'],
  organization: ['Apps: {apps}, Domains: {domains}'],
  no_domain: [
    'Apps: {apps}, keine Domain',
    'Ohne Domain findet keine Seite ihr Wissen. Melden Sie eine an: assistant domains create --host docs.example.com{inside}',
  ],
  no_keys: [
    'Es gibt keinen',
    'Keine Seite kann ihr Widget zeigen. Erstellen Sie einen: assistant keys create --app {app}{inside}',
  ],
  keys_revoked: [
    'Alle sind widerrufen',
    'Keine Seite kann ihr Widget zeigen. Erstellen Sie einen: assistant keys create --app {app}{inside}',
  ],
  // Modelle
  model_address: ['Die Adresse in ollama.url lässt sich nicht verwenden'],
  no_model_used: [
    'Es wird kein Modell benutzt, so wollen es answers.mode, ingestion.entries und ollama.embedding_model',
  ],
  no_ollama: [
    'Unter {base} antwortet kein Ollama',
    'Starten Sie Ollama, oder berichtigen Sie ollama.url. Auf einer anderen Maschine, und für einen Container, starten Sie es mit OLLAMA_HOST=0.0.0.0 ollama serve',
  ],
  ollama_trouble: ['Unter {base} antwortet kein Ollama, wie es soll', modelTrouble],
  ollama_version: ['Version {version} unter {base}'],
  ollama_old: [
    'Version {version} unter {base} kann nicht in vorgegebener Form antworten. Einträge aus Dokumenten brauchen das',
    'Aktualisieren Sie Ollama auf {oldest} oder neuer (https://ollama.com/download).',
  ],
  model_not_installed: [
    '{model} ist unter {base} nicht installiert',
    'Welche Modelle zu dieser Maschine passen, zeigt assistant models choose. Dieses laden Sie mit: assistant models pull',
  ],
  model_window: ['{model}, Fenster bis {tokens} Tokens'],
  model_unreadable: ['Ollama gibt über {model} keine Auskunft', modelTrouble],
  no_chat_model: [
    '{model} ist kein Chatmodell, es kann: {can}',
    'Setzen Sie ollama.chat_model auf eines, z. B. {example}.',
  ],
  no_embedding_model: [
    '{model} ist kein Embedding-Modell, es kann: {can}',
    'Setzen Sie ollama.embedding_model auf eines, z. B. {example}.',
  ],
  window: ['{tokens} Tokens'],
  window_small: [
    '{tokens} Tokens, zu wenig für {passages} Passagen und eine Antwort',
    'Setzen Sie ollama.num_ctx auf {needed}, oder answers.max_passages auf {fitting}.',
  ],
  window_small_model: [
    '{tokens} Tokens, zu wenig für {passages} Passagen und eine Antwort',
    'Nehmen Sie ein Modell mit größerem Fenster, oder setzen Sie answers.max_passages auf {fitting}.',
  ],
  window_of_model: [
    'ollama.num_ctx ist {setting}, aber {model} kann nur {tokens}; das gilt',
    'Setzen Sie ollama.num_ctx auf {tokens}, oder nehmen Sie ein Modell mit größerem Fenster.',
  ],
  window_shared: [
    '{model} war mit einem Fenster von {before} Tokens geladen statt mit {window}. Ein anderes Programm nutzt es auch, und Ollama lädt es jedes Mal neu',
    'Setzen Sie in beiden dasselbe num_ctx, oder ollama.num_ctx auf {before}.',
  ],
  window_given: [
    '{model} sollte ein Fenster von {asked} Tokens bekommen und bekam {given}. Längere Eingaben verlieren unbemerkt ihren Anfang',
    'Setzen Sie ollama.num_ctx auf {given}, oder aktualisieren Sie Ollama und jeden Proxy davor.',
  ],
  model_not_loaded: ['{model} ließ sich nicht laden', modelTrouble],
  in_memory: ['im Speicher: {models}'],
  left_memory: [
    '{models} blieb nicht im Speicher',
    'Setzen Sie ollama.keep_alive auf 5m oder länger. Achten Sie darauf, dass kein anderes Programm den Speicher von Ollama füllt.',
  ],
  models_displace: [
    '{models} verdrängen einander aus dem Speicher: {gone} war weg, als das andere geladen war',
    'Starten Sie Ollama mit OLLAMA_MAX_LOADED_MODELS=2. Reicht der Speicher nicht für beide, nehmen Sie ein kleineres Modell oder ein kleineres ollama.num_ctx.',
  ],
  gpu_share: [
    'Nur {percent} % von {model} passen in den Speicher der GPU, darum ist es langsam',
    'Nehmen Sie ein kleineres Modell, oder verringern Sie ollama.num_ctx.',
  ],
  // Vektoren
  vectors: ['{embedded} von {passages} Passagen haben einen von {model}'],
  vectors_refused: [
    '{embedded} von {passages} Passagen haben einen von {model}; an {refused} Texten scheitert das Modell',
  ],
  vectors_unused: [
    'Es gibt welche, aber kein Embedding-Modell ist gesetzt: Gesucht wird nach Wörtern',
    'Setzen Sie ollama.embedding_model auf das Modell aus: assistant reindex --status',
  ],
  vectors_failed: ['Der letzte Versuch ist gescheitert: {failure}', wait],
  no_vectors: [
    '{embedded} von {passages} Passagen haben einen. Bis alle einen haben, wird nach Wörtern gesucht',
    wait,
  ],
  vectors_building: [
    '{embedded} von {passages} Passagen haben einen von {next}. Bis alle einen haben, gelten die von {model}',
    wait,
  ],
  vectors_wait: ['{embedded} von {passages} Passagen haben einen von {model}', wait],
  vectors_undone: [
    'Es gelten wieder die von {model}: Jemand ist von {next} zurückgegangen',
    'Um es wieder zu nehmen: assistant reindex',
  ],
  vectors_on_disk: [
    'Sie passen nicht in search.vector_memory_mb, darum liest jede Suche sie von der Platte',
    'Erhöhen Sie search.vector_memory_mb, oder nehmen Sie langsamere Suchen hin.',
  ],
  // Proxy
  proxy_host: [
    'Im Browser steht {shown}, aber der Proxy fragt den Server nach {host}',
    'Lassen Sie ihn Host weitergeben. nginx: proxy_set_header Host $http_host;  Apache: ProxyPreserveHost On',
  ],
  proxy_untrusted: [
    'Ein Proxy leitet Anfragen weiter, und ihm wird nicht vertraut: Alle Besucher zählen als eine Adresse',
    'Geben Sie an, wie viele Proxys vor dem Server stehen: assistant config set server.trust_proxy 1',
  ],
  public_url: [
    'server.public_url ist {url}, aber diese Seite wurde unter {here} geöffnet: Links und Tags führen dorthin',
    'Wenn man {here} benutzt, setzen Sie: assistant config set server.public_url {here}',
  ],
};
