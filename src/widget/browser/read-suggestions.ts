import type { FrameContext } from '../protocol.js';
import type { ServiceRequests } from './service-requests.js';

const mostSuggestions = 4;

/** What GET /widget/page tells, as far as it is used here. */
interface PageTitles {
  contents?: { title: string; scope: string }[];
}

/**
 * First questions in one language, out of what the knowledge has about this very page. Titles of what is known of a
 * whole site are the same everywhere, and often those of chapters: they would be no questions.
 */
export async function readSuggestions(
  requests: ServiceRequests,
  { url, language }: Pick<FrameContext, 'url' | 'language'>,
): Promise<string[]> {
  const query = new URLSearchParams({ url, ...(language && { language }) });
  const { contents = [] } = await requests.json<PageTitles>('GET', `/page?${String(query)}`);
  const titles = contents
    .filter(({ scope }) => scope === 'view' || scope === 'url_pattern')
    .map(({ title }) => title.replace(/^.* › | \(\d+\)$/g, ''));
  return [...new Set(titles)].slice(0, mostSuggestions);
}
