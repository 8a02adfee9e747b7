import type { Findings } from './findings.js';

const wait =
  'Espere: assistant serve y assistant worker lo hacen, o al instante: assistant reindex';
const repair = 'Ejecute: assistant doctor --repair';
const restart = 'Reinícielo: {restart}';
const space = 'Libere espacio o mueva database.path a un disco mayor.';
const mayRead = {
  read_only:
    'Su sistema de archivos es de solo lectura. El motivo está en el registro del sistema. Móntelo para escribir o mueva database.path a otro disco.',
  rights: 'Deje que este usuario la lea y escriba: {command}',
  other:
    'Ejecute esto como el usuario al que pertenece, como hace el servidor, o désela a este: {command}',
};
const modelTrouble = {
  not_running: 'Inicie Ollama allí (ollama serve) o corrija ollama.url.',
  not_ollama: 'Allí responde otro servidor. Corrija ollama.url.',
  model_missing: 'Instálelo allí con: ollama pull {model}',
  busy: 'Tiene demasiado trabajo. Espere, o aumente allí OLLAMA_MAX_QUEUE u OLLAMA_NUM_PARALLEL.',
  too_slow:
    'No responde a tiempo. Compruebe que funciona allí (ollama serve) y que ningún cortafuegos bloquea la conexión, o corrija ollama.url.',
  broke_off:
    'La conexión se cortó. Si vuelve a ocurrir, lea el registro de Ollama: quizá le falta memoria.',
  other: 'El motivo lo dice, en la máquina del servidor: assistant doctor',
};
const backUp = 'Haga una cada noche y guárdela también en otro lugar: assistant backup';

export const findingsEs: Findings = {
  // Procesos
  server_unknown: [
    'No se sabe nada del servidor, porque este usuario no puede leer {folder}',
    'Ejecútelo con el usuario con el que funciona el servidor.',
  ],
  server_runs: ['Servidor en {url} desde {since}, versión {version}, proceso {pid}'],
  server_silent: [
    'El servidor en {url}, proceso {pid}, funciona desde {since} y no responde',
    'Lea su registro: assistant logs. Después, reinícielo: {restart}',
  ],
  server_old: [
    'El servidor en {url} funciona desde {since} con la versión {version}; está instalada la {installed}',
    restart,
  ],
  worker_runs: ['Worker desde {since}, versión {version}, proceso {pid}'],
  worker_silent: [
    'El worker, proceso {pid}, funciona desde {since} y no responde',
    'Lea su registro: assistant logs. Después, reinícielo: {restart}',
  ],
  worker_old: [
    'El worker funciona desde {since} con la versión {version}; está instalada la {installed}',
    restart,
  ],
  no_server: ['No funciona ningún servidor', 'Inícielo: {start}'],
  no_worker: [
    'Ningún proceso lee los documentos que esperan: {waiting}',
    'Inicie un worker: assistant worker',
  ],
  queue: [
    '{waiting} en espera, {running} en lectura, {failed} con error',
    'Vea el motivo y, después, reinténtelos o elimínelos: assistant batches list --status failed',
  ],
  sources: ['{total}, {running} en lectura, todas leídas en {ago}'],
  sources_unread: ['{total}, {running} en lectura, algunas sin leer todavía'],
  sources_troubled: [
    '{total}, de las cuales {failing} fallan y {overdue} están atrasadas: {names}',
    'Vea el motivo: assistant sources list. Las atrasadas esperan a assistant serve o assistant worker.',
  ],
  drafts: ['por revisar: {count}', 'Siguiente paso: assistant knowledge list --status draft'],
  requests: ['abiertas: {count}', 'Siguiente paso: assistant requests list --status open'],
  // Archivos y ajustes
  no_config: [
    'No hay archivo; valen los valores predeterminados',
    'Escriba uno con: assistant init',
  ],
  config_open: [
    '{file} contiene secretos, y cualquier usuario de esta máquina puede leerlo',
    'Déjelo solo para su propietario: chmod 600 {file}',
  ],
  disk: ['{folder}, {free} libres', space],
  no_folder: ['No existe la carpeta {folder}'],
  folder_closed: ['No se puede leer y escribir {folder} o la base de datos que contiene', mayRead],
  rights_open: [
    'Cualquier usuario de esta máquina puede leer {database}',
    'Déjela solo para su propietario: chmod 700 {folder}',
  ],
  no_backup: ['Aún no hay ninguna', backUp],
  backup_in_future: [
    'La fecha de la última está en el futuro ({made} UTC): el reloj iba mal entonces o va mal ahora: {file}',
    'Ponga el reloj en hora. Si iba mal el de la copia, mueva su archivo a otra carpeta y haga una nueva: assistant backup',
  ],
  backup_unverified: ['La última es de {made} UTC, sin verificar: {file}', backUp],
  backup_verified: ['La última es de {made} UTC, verificada {verified}: {file}', backUp],
  clock_before_program: [
    'Marca {now}, pero este programa se instaló en {at}',
    'Ponga en hora esta máquina: timedatectl set-ntp true',
  ],
  clock_before_change: [
    'Marca {now}, pero el último cambio es de {at}',
    'Ponga en hora esta máquina: timedatectl set-ntp true',
  ],
  mail_answers: ['{place} responde'],
  mail_password: [
    '{place} no acepta el inicio de sesión',
    'Corrija mail.user y la contraseña (ASSISTANT_MAIL_PASSWORD).',
  ],
  mail_host: ['No se conoce el host de {place}', 'Corrija mail.host.'],
  mail_security: [
    'No se puede hablar así de forma cifrada con {place}',
    'Ponga en mail.security lo que habla el servidor: starttls (587), tls (465) o none.',
  ],
  mail_silent: [
    '{place} no responde como un servidor de correo',
    'Corrija mail.host, mail.port y mail.security (587 starttls, 465 tls, 25 none), o inicie el servidor. Sin correo, deje mail.host vacío.',
  ],
  recognition_off: ['Desactivado (ingestion.ocr): los documentos escaneados se rechazan'],
  recognition_untried: ['Activado ({mode}), sin probar'],
  recognition_works: ['Activado ({mode}): inglés, español, alemán'],
  recognition_memory: [
    'ingestion.thread_memory_mb es {memory}, y una página escaneada puede necesitar {least}',
    'Auméntelo: assistant config set ingestion.thread_memory_mb {least}',
  ],
  recognition_fails: [
    'Activado ({mode}), pero no se inicia',
    'Instale esta versión de nuevo. Hasta entonces: assistant config set ingestion.ocr off',
  ],
  key_wrong: [
    'No se puede leer o no corresponde a lo guardado',
    'Devuelva la clave correcta a su sitio, o establezca de nuevo los secretos de cliente (assistant sso edit) y los segundos factores (assistant users reset-two-factor).',
  ],
  key_fits: ['Corresponde a lo guardado'],
  key_of_one_machine: [
    'Solo la tiene esta máquina, pero la base de datos sirve también a otras',
    'Dé a todos los servidores el texto de {file} como auth.secrets_key (ASSISTANT_AUTH_SECRETS_KEY).',
  ],
  key_open: ['Otros pueden leerla', 'Déjela solo para su propietario: chmod 600 {file}'],
  // Base de datos
  no_database: ['No hay ninguna en {path}', 'Créela con: assistant init'],
  database_elsewhere: [
    'No hay ninguna en {path}',
    'Los servicios de esta máquina usan otra instalación: {installation}',
  ],
  database_newer: [
    'La ha usado una versión más nueva de este programa',
    'Actualice este programa a la versión con la que se usó la base de datos por última vez.',
  ],
  database_damaged: [
    'Está dañada',
    'Restaure la última copia de seguridad: assistant backup list y, después: assistant restore <file>',
  ],
  database_busy: ['Está ocupada en este momento', 'Espere y vuelva a mirar.'],
  database_closed: ['No se puede abrir', mayRead],
  no_space: ['El disco está lleno', space],
  up_to_date: ['al día'],
  migrations_pending: ['Faltan: {names}', 'Ejecute: assistant upgrade'],
  contents_agree: ['Las filas, el índice de búsqueda, los vectores y los contadores concuerdan'],
  damaged_indexes: ['Hay índices de la base de datos que no concuerdan con sus tablas', repair],
  damaged_passages: ['Faltan pasajes de entradas o no concuerdan con ellas', repair],
  damaged_search_index: ['El índice de búsqueda no concuerda con los pasajes', repair],
  damaged_counters: ['Los números de entradas por página no concuerdan con las entradas', repair],
  damaged_stored_vectors: ['Faltan vectores, sobran o no sirven', repair],
  damaged_state: ['Faltan datos de la base de datos sobre sí misma, o son incorrectos', repair],
  damaged_references: ['Hay filas que remiten a otras que no existen', repair],
  damaged_files: ['Hay archivos subidos incompletos o dañados', repair],
  damaged_leases: ['Hay trabajo reservado o en espera durante demasiado tiempo', repair],
  // Organizaciones
  no_organization: ['No hay ninguna', 'Cree una con: assistant init'],
  organization: ['Aplicaciones: {apps}, dominios: {domains}'],
  no_domain: [
    'Aplicaciones: {apps}, ningún dominio',
    'Sin un dominio, ninguna página encuentra su conocimiento. Registre uno con: assistant domains create --host docs.example.com{inside}',
  ],
  no_keys: [
    'No hay ninguna',
    'Ninguna página puede mostrar su widget. Cree una con: assistant keys create --app {app}{inside}',
  ],
  keys_revoked: [
    'Todas están revocadas',
    'Ninguna página puede mostrar su widget. Cree una con: assistant keys create --app {app}{inside}',
  ],
  // Modelos
  model_address: ['La dirección de ollama.url no se puede usar'],
  no_model_used: [
    'No se usa ningún modelo, según answers.mode, ingestion.entries y ollama.embedding_model',
  ],
  no_ollama: [
    'Ningún Ollama responde en {base}',
    'Inicie Ollama o corrija ollama.url. En otra máquina, y para un contenedor, inícielo con OLLAMA_HOST=0.0.0.0 ollama serve',
  ],
  ollama_trouble: ['En {base} no responde un Ollama como debe', modelTrouble],
  ollama_version: ['Versión {version} en {base}'],
  ollama_old: [
    'La versión {version} en {base} no puede responder en una forma dada. Las entradas de documentos lo necesitan',
    'Actualice Ollama a {oldest} o más nueva (https://ollama.com/download).',
  ],
  model_not_installed: [
    '{model} no está instalado en {base}',
    'Los modelos adecuados para esta máquina los muestra assistant models choose. Este se descarga con: assistant models pull',
  ],
  model_window: ['{model}, ventana de hasta {tokens} tokens'],
  model_unreadable: ['Ollama no da información sobre {model}', modelTrouble],
  no_chat_model: [
    '{model} no es un modelo de chat; puede: {can}',
    'Ponga en ollama.chat_model uno que lo sea, por ejemplo {example}.',
  ],
  no_embedding_model: [
    '{model} no es un modelo de embeddings; puede: {can}',
    'Ponga en ollama.embedding_model uno que lo sea, por ejemplo {example}.',
  ],
  window: ['{tokens} tokens'],
  window_small: [
    '{tokens} tokens, demasiado pocos para {passages} pasajes y una respuesta',
    'Ponga ollama.num_ctx en {needed}, o answers.max_passages en {fitting}.',
  ],
  window_small_model: [
    '{tokens} tokens, demasiado pocos para {passages} pasajes y una respuesta',
    'Use un modelo con una ventana mayor, o ponga answers.max_passages en {fitting}.',
  ],
  window_of_model: [
    'ollama.num_ctx es {setting}, pero {model} solo admite {tokens}; eso vale',
    'Ponga ollama.num_ctx en {tokens}, o use un modelo con una ventana mayor.',
  ],
  window_shared: [
    '{model} estaba cargado con una ventana de {before} tokens en lugar de {window}. Otro programa también lo usa, y Ollama lo carga de nuevo cada vez',
    'Use el mismo num_ctx en ambos, o ponga ollama.num_ctx en {before}.',
  ],
  window_given: [
    'Se pidió para {model} una ventana de {asked} tokens y recibió {given}. Los textos más largos pierden su comienzo sin aviso',
    'Ponga ollama.num_ctx en {given}, o actualice Ollama y todo proxy delante de él.',
  ],
  model_not_loaded: ['No se pudo cargar {model}', modelTrouble],
  in_memory: ['en memoria: {models}'],
  left_memory: [
    '{models} no se quedó en la memoria',
    'Ponga ollama.keep_alive en 5m o más. Compruebe que ningún otro programa llene la memoria de Ollama.',
  ],
  models_displace: [
    '{models} se desplazan de la memoria entre sí: {gone} ya no estaba cuando se cargó el otro',
    'Inicie Ollama con OLLAMA_MAX_LOADED_MODELS=2. Si la memoria no alcanza para ambos, use un modelo menor o un ollama.num_ctx menor.',
  ],
  gpu_share: [
    'Solo el {percent} % de {model} cabe en la memoria de la GPU, y por eso es lento',
    'Use un modelo menor o reduzca ollama.num_ctx.',
  ],
  // Vectores
  vectors: ['{embedded} de {passages} pasajes tienen uno de {model}'],
  vectors_refused: [
    '{embedded} de {passages} pasajes tienen uno de {model}; el modelo falla con {refused} textos',
  ],
  vectors_unused: [
    'Hay algunos, pero no hay modelo de embeddings: se busca por palabras',
    'Ponga en ollama.embedding_model el modelo de: assistant reindex --status',
  ],
  vectors_failed: ['El último intento falló: {failure}', wait],
  no_vectors: [
    '{embedded} de {passages} pasajes tienen uno. Hasta que todos lo tengan, se busca por palabras',
    wait,
  ],
  vectors_building: [
    '{embedded} de {passages} pasajes tienen uno de {next}. Hasta que todos lo tengan, valen los de {model}',
    wait,
  ],
  vectors_wait: ['{embedded} de {passages} pasajes tienen uno de {model}', wait],
  vectors_undone: [
    'Valen de nuevo los de {model}: alguien volvió atrás desde {next}',
    'Para usarlo otra vez: assistant reindex',
  ],
  vectors_on_disk: [
    'No caben en search.vector_memory_mb, así que cada búsqueda los lee del disco',
    'Aumente search.vector_memory_mb, o acepte búsquedas más lentas.',
  ],
  // Proxy
  proxy_host: [
    'El navegador está en {shown}, pero el proxy pide al servidor {host}',
    'Haga que transmita Host. nginx: proxy_set_header Host $http_host;  Apache: ProxyPreserveHost On',
  ],
  proxy_untrusted: [
    'Un proxy reenvía las peticiones y no se confía en él: todos los visitantes cuentan como una sola dirección',
    'Indique cuántos proxies hay delante del servidor: assistant config set server.trust_proxy 1',
  ],
  public_url: [
    'server.public_url es {url}, pero esta página se abrió en {here}: los enlaces y etiquetas llevan allí',
    'Si se usa {here}, establézcala: assistant config set server.public_url {here}',
  ],
};
