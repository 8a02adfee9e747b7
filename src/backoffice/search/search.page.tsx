import { z } from 'zod';
import { page } from '../page.js';
import { findEverything, type Found } from './find-everything.js';
import { SearchView } from './search-view.js';

export const searchPage = page({
  path: '/search',
  access: 'knowledge.write',
  query: z.object({ q: z.string().trim().max(200).catch('').default('') }),
  async show(app, { actor, query: { q }, say }) {
    const found: Found | undefined = q === '' ? undefined : await findEverything(app, actor, q);
    const title = q === '' ? say.search.title : `${q} · ${say.search.title}`;
    return { title, body: <SearchView {...{ q, found }} /> };
  },
});
