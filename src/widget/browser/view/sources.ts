import type { FrameSource } from '../../protocol.js';
import { element, setAttribute } from './element.js';
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
  const hidden = rows.slice(atFirst);
  for (const { node } of hidden) node.hidden = true;
  const showAll = (): void => {
    for (const { node } of hidden) node.hidden = false;
    more?.remove();
  };
  const more =
    hidden.length === 0
      ? undefined
      : element(
          'button',
          { type: 'button', class: 'row muted' },
          {
            onclick() {
              showAll();
              hidden[0]?.toggle.focus();
            },
          },
          texts.moreSources(hidden.length),
        );
  return {
    node: element(
      'section',
      { class: 'sources' },
      {},
      element('h3', {}, {}, texts.sources),
      element('ul', {}, {}, ...rows.map(({ node }) => node)),
      more,
    ),
    reveal(number) {
      const row = rows[sources.findIndex((source) => source.number === number)];
      if (row === undefined) return;
      showAll();
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

function sourceRow({ texts, options }: ViewContext, source: FrameSource): SourceRow {
  const excerpt = element('blockquote', { class: 'excerpt', tabindex: 0 }, {}, source.excerpt);
  const pages =
    source.pages && element('small', {}, {}, ` ${texts.pages(source.pages.from, source.pages.to)}`);
  const href = sourceLink(source, location.origin, options().docsBaseUrl);
  const expand = (open: boolean): void => {
    excerpt.hidden = !open;
    setAttribute(toggle, 'aria-expanded', String(open));
  };
  const toggle = element(
    'button',
    { type: 'button', class: href === undefined ? 'title' : 'icon small quiet' },
    { onclick: () => expand(excerpt.hidden !== false) },
    ...(href === undefined ? [source.title, pages] : [icon('down')]),
  );
  if (href !== undefined)
    setAttribute(toggle, 'aria-label', `${texts.source(source.number)}: ${source.title}`);
  const link =
    href === undefined
      ? undefined
      : element(
          'a',
          { class: 'title', href, target: '_blank', rel: 'noopener noreferrer' },
          {},
          source.title,
          pages,
          element('span', { class: 'sr' }, {}, ` (${texts.newTab})`),
        );
  expand(false);
  return {
    node: element(
      'li',
      { class: 'source' },
      {},
      element(
        'div',
        {},
        {},
        element('span', { class: 'number' }, {}, String(source.number)),
        link,
        toggle,
      ),
      excerpt,
    ),
    toggle,
    expand,
  };
}
