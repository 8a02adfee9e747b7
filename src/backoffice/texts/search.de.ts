import type { Texts } from './en.js';

export const searchDe: Texts['search'] = {
  title: 'Suche',
  placeholder: 'Alles durchsuchen',
  go: 'Suchen',
  about:
    'Findet Einträge, Dokumente nach ihrem Namen, Fragen, Gespräche, Personen und Seiten. Auch längere Wörter, die mit Ihrem beginnen, werden gefunden.',
  nothing: (words) =>
    `Für „${words}“ wurde nichts gefunden. Versuchen Sie es mit weniger oder kürzeren Wörtern.`,
  pages: 'Seiten',
  all: (count, kind) => `Alle ${count} unter „${kind}“`,
};
