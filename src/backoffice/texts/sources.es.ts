import type { Texts } from './en.js';
import type { sourcesDoneEn } from './sources.en.js';

export const sourcesEs: Texts['sources'] = {
  title: 'Fuentes',
  about:
    'Una fuente es un sitio web o una carpeta que se lee una y otra vez. Lo nuevo y lo cambiado se convierte en borradores. Las carpetas se añaden en la línea de comandos del servidor.',
  none: 'Todavía no hay fuentes. Añada la dirección de un sitio web que describa su producto.',
  add: 'Añadir un sitio web',
  nameHint: 'Sus documentos llevan también este nombre.',
  addressHint: 'Se leen las páginas bajo esta dirección, p. ej. https://docs.example.com/guide/.',
  kinds: { site: 'Sitio web', folder: 'Carpeta' },
  policy: 'Qué pasa con los borradores',
  policies: {
    review: 'Una persona decide sobre todos',
    publish_changes: 'Se publican las nuevas versiones de entradas publicadas',
    publish: 'Se publican todos, y lo que desaparece se retira',
  },
  policyHint: 'Las entradas cuyo texto editó una persona siempre esperan a una persona.',
  every: 'Con qué frecuencia se lee',
  intervals: {
    '': 'Solo cuando se pide',
    '60': 'Cada hora',
    '1440': 'Cada día',
    '10080': 'Cada semana',
  },
  everyMinutes: (minutes) => `Cada ${minutes} minutos`,
  reportTo: 'Informe por correo',
  reportToHint: 'Después de cada lectura que haya aportado algo.',
  reportToNobody: 'A nadie',
  reportToMe: 'A mí',
  reportToOther: 'A otra persona',
  include: 'Solo estas rutas',
  exclude: 'Estas rutas no',
  patternsHint: 'Un patrón por línea. * representa cualquier texto, como en /docs/*.',
  depth: 'Enlaces desde la primera página, como máximo',
  mostPages: 'Páginas, como máximo',
  render: 'Ejecutar los scripts de páginas vacías, si el operador ha configurado un navegador',
  numberHint: (number) => `Vacío para ${number}.`,
  settings: 'Ajustes',
  lastRun: 'Última lectura',
  nextRun: 'Próxima lectura',
  runs: 'Lecturas',
  neverRun: 'Todavía no se ha leído.',
  states: { running: 'En curso', completed: 'Hecha', failed: 'Fallida', waiting: 'En espera' },
  counts: {
    new: 'Nuevas',
    changed: 'Cambiadas',
    moved: 'Trasladadas',
    unchanged: 'Sin cambios',
    gone: 'Desaparecidas',
    failed: 'Fallidas',
    published: 'Publicadas',
    removed: 'Retiradas',
  },
  waiting: (drafts, documents) => {
    const all = documents === '1' ? 'un documento' : `${documents} documentos`;
    return drafts === '1'
      ? 'Un borrador espera una decisión.'
      : `${drafts} borradores de ${all} esperan una decisión.`;
  },
  goneTitle: (documents) =>
    documents === '1'
      ? 'Un documento ya no está en la fuente.'
      : `${documents} documentos ya no están en la fuente.`,
  goneNone: 'No falta nada en la fuente',
  goneWhat:
    'Las respuestas aún usan sus entradas publicadas. Al retirarlas, pasan a ser borradores y conservan su historial, de modo que se pueden publicar de nuevo. Los demás borradores de estos documentos se eliminan. Si solo faltan por un tiempo, por ejemplo en un disco que no está montado, lea en su lugar la fuente otra vez.',
  goneDrafts: 'Otros borradores',
  takeBack: 'Retirar',
  takeBackTicked: 'Retirar los marcados',
  run: 'Leer ahora',
  runHint: 'Un servidor la lee en cuanto haya uno libre.',
  preview: 'Vista previa',
  previewHint: (pages) =>
    `Lee ahora hasta ${pages} páginas y muestra lo que aportarían. No se guarda nada.`,
  previewNone: 'No se encontró ninguna página.',
  page: 'Página',
  statuses: {
    new: 'Nueva',
    changed: 'Cambiada',
    moved: 'Trasladada',
    unchanged: 'Sin cambios',
    gone: 'Desaparecida',
  },
  leftOut: 'Omitidas',
  reason: 'Motivo',
  documents: 'Lo nuevo, cambiado, trasladado o desaparecido',
  movedFrom: 'antes:',
  reasons: {
    robots: 'robots.txt lo prohíbe',
    noindex: 'la página pide que no se indexe',
    sign_in: 'la página exige iniciar sesión',
    client_rendered: 'la página está vacía hasta que se ejecutan sus scripts',
    canonical: 'la página se lee en su otra dirección',
    duplicate: 'el mismo contenido se lee en otra dirección',
    other_site: 'la dirección lleva a otro sitio',
    redirects: 'demasiadas redirecciones',
    not_found: 'no se encontró',
    http_status: 'el sitio respondió con un error',
    content_type: 'un tipo de archivo que no se lee',
    too_large: 'demasiado grande',
    timeout: 'sin respuesta a tiempo',
    unreachable: 'no se pudo leer',
    no_text: 'la página no tiene texto propio',
    refused: 'no se pudo guardar',
    query: 'una de muchas direcciones que solo difieren en la consulta',
  },
  endings: {
    pages: 'El sitio tiene más páginas de las que se pueden leer.',
    bytes: 'Las páginas juntas eran demasiado grandes; el resto no se leyó.',
    time: 'Tardó demasiado; el resto no se leyó.',
    failures: 'El sitio no respondió diez veces seguidas; el resto no se leyó.',
    cancelled: 'Se detuvo.',
  },
  delete: 'Eliminar esta fuente',
  deleteWarning: 'Sus documentos y entradas se conservan. El registro de sus lecturas se elimina.',
  deleteSurely: 'Eliminar definitivamente',
};

export const sourcesDoneEs: typeof sourcesDoneEn = {
  goneTakenBack: 'Retirado: las respuestas ya no usan sus entradas.',
  goneReadAgain:
    'Los documentos que se han leído de nuevo desde entonces se quedan como están. Lea la fuente para que la lista vuelva a ser correcta.',
  sourceAsked: 'Se lee en cuanto haya un servidor libre.',
};
