import type { FrameSource } from '../protocol.js';
import { element, present } from '../dom/element.js';
import { icon } from '../dom/icons.js';
import { plainExcerpt } from './plain-excerpt.js';
import { elsewhere, sourceLink } from '../dom/source-link.js';
import type { ViewContext } from './view-context.js';

export interface SourceList {
  node: HTMLElement;
  /** For copying: a heading, and one line per source with its description and address. */
  lines: HTMLElement[];
  /** Expands a source's excerpt and moves the focus to it, for a citation. */
  reveal(number: number): void;
}

/** Lists sources. Each has a title, which links to its page if possible, and an excerpt to expand. */
export function listSources(
  { texts, options }: ViewContext,
  sources: readonly FrameSource[],
): SourceList {
  const lines: HTMLElement[] = [element('p', {}, `${texts.sources}:`)];
  /** By source number. */
  const rows: HTMLDetailsElement[] = [];
  const items = sources.map(
    ({ number, title, document, pages, excerpt, changed, url, url_pattern }) => {
      const href = url || sourceLink(url_pattern, location.origin, options().docsBaseUrl);
      const listed = (first: string | undefined, link: string | undefined): string =>
        present([
          first,
          // A document without headings uses its own name as the title. A web page has only a made-up name.
          !url && !document?.startsWith(title) && document,
          pages && texts.pages(pages.from, pages.to),
          changed && texts.changed,
          link,
        ]).join(' · ');
      lines.push(
        element(
          'p',
          {},
          listed(`[${number}] ${title}`, href && ''),
          href && element('a', { href }, href),
        ),
      );
      const name = element(
        'span',
        { class: 'title' },
        href ? element('a', { href, ...elsewhere }, title) : title,
        element('small', {}, listed(undefined, href?.replace(/^https?:\/\/|[?#].*$/g, ''))),
      );
      const head = [element('span', { class: 'count' }, String(number)), name];
      // A link can't be inside the element that expands the excerpt, so it stands beside it.
      const row = element(
        'details',
        {},
        element(
          'summary',
          { 'aria-label': href && `${texts.source(number)}: ${title}` },
          ...(href ? [] : head),
          icon('down'),
        ),
        element('blockquote', { class: 'excerpt' }, plainExcerpt(excerpt)),
      );
      rows[number] = row;
      return element('li', {}, href && element('div', {}, ...head), row);
    },
  );
  return {
    lines,
    node: element(
      'section',
      { class: 'sources' },
      element('h3', {}, texts.sources),
      element('ul', {}, ...items),
    ),
    reveal(number) {
      const row = rows[number];
      if (!row) return;
      row.open = true;
      row.querySelector('summary')?.focus({ preventScroll: true });
      row.scrollIntoView({ block: 'nearest' });
    },
  };
}
