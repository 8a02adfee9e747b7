/** The words of the search over everything. */
export const searchEn = {
  title: 'Search',
  placeholder: 'Search everything',
  go: 'Search',
  about:
    'Finds entries, documents by their name, questions, conversations, people and pages. A longer word that begins with yours is found too.',
  nothing: (words: string) => `Nothing was found for “${words}”. Try fewer or shorter words.`,
  pages: 'Pages',
  all: (count: string, kind: string) => `All ${count} in ${kind}`,
};
