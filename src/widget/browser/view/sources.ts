import type { FrameSource } from '../../protocol.js';
import { button, element, setAttribute } from './element.js';
import { icon } from './icons.js';
import { sourceLink } from './source-link.js';
import type { ViewContext } from './view-context.js';

/** How many are shown at once; the rest comes by a button. */
const atFirst = 3;

export interface SourceList {
  node: HTMLElement;
  /** Shows the excerpt of a source and moves the focus to it: where a citation leads. */
  reveal(number: number): void;
}

export function listSources(context: ViewContext, sources: readonly FrameSource[]): SourceList {
  const { texts } = context;
  const rows = sources.map((source) => sourceRow(context, source));
  const rest = rows.slice(atFirst);
  const showRest = (shown: boolean): void => {
    for (const { node } of rest) node.hidden = !shown;
    more.hidden = shown;
  };
  const showMore = (): void => {
    showRest(true);
    rest[0]?.toggle.focus();
  };
  const more = button('row muted', showMore, [texts.moreSources(rest.length)]);
  showRest(rest.length === 0);
  return {
    node: element(
      'section',
      { class: 'sources' },
      element('h3', {}, texts.sources),
      element('ul', {}, ...rows.map(({ node }) => node)),
      more,
    ),
    reveal(number) {
      const row = rows[sources.findIndex((source) => source.number === number)];
      if (!row) return;
      showRest(true);
      row.expand(true);
      row.toggle.focus({ preventScroll: true });
      row.node.scrollIntoView({ block: 'nearest' });
    },
  };
}

interface SourceRow {
  node: HTMLElement;
  toggle: HTMLElement;
  expand(open: boolean): void;
}

/** The title leads to the page where there is one to lead to; else it unfolds the excerpt, as the arrow does. */
function sourceRow({ texts, options }: ViewContext, source: FrameSource): SourceRow {
  const { number, title, pages } = source;
  const excerpt = element('blockquote', { class: 'excerpt' }, source.excerpt);
  const place = pages && element('small', {}, ` ${texts.pages(pages.from, pages.to)}`);
  const href = sourceLink(source, location.origin, options().docsBaseUrl);
  const expand = (open: boolean): void => {
    excerpt.hidden = !open;
    setAttribute(toggle, 'aria-expanded', String(open));
  };
  const turn = (): void => expand(excerpt.hidden !== false);
  const toggle =
    href === undefined
      ? button('title', turn, [title, place, icon('down')])
      : button('icon small quiet', turn, [icon('down')], `${texts.source(number)}: ${title}`);
  const link =
    href === undefined
      ? undefined
      : element(
          'span',
          { class: 'title' },
          element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, title),
          place,
        );
  expand(false);
  return {
    node: element(
      'li',
      { class: 'source' },
      element('span', { class: 'number' }, String(number)),
      ...[link, toggle, excerpt],
    ),
    toggle,
    expand,
  };
}
