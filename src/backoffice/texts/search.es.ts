import type { Texts } from './en.js';

export const searchEs: Texts['search'] = {
  title: 'Buscar',
  placeholder: 'Buscar en todo',
  go: 'Buscar',
  about:
    'Encuentra entradas, documentos por su nombre, preguntas, conversaciones, personas y páginas. También encuentra palabras más largas que empiezan por la suya.',
  nothing: (words) =>
    `No se encontró nada para «${words}». Pruebe con menos palabras o con palabras más cortas.`,
  pages: 'Páginas',
  all: (count, kind) => `Los ${count} resultados en ${kind}`,
};
