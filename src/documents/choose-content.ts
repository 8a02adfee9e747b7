import { withoutText } from './hidden-elements.js';
import {
  findElement,
  findElements,
  isElement,
  lineOf,
  namesOf,
  type Element,
  type TreeNode,
} from './tree.js';

/** What a page says about itself: the element that holds what it is about, the surest first. */
const contentMarks: ((element: Element) => boolean)[] = [
  ({ name, attributes }) => name === 'main' || attributes['role'] === 'main',
  ({ attributes }) => attributes['itemprop'] === 'articleBody' || attributes['itemprop'] === 'text',
  ({ name }) => name === 'article',
  (element) => namesOf(element).some((name) => contentNames.has(name)),
];
const contentNames = new Set([
  ...['content', 'main-content', 'maincontent', 'bodycontent', 'mw-content-text', 'page-content'],
  ...['article-content', 'post-content', 'entry-content', 'markdown-body', 'documentwrapper'],
]);
/** The share of the page's own text that its content has at least. */
const leastShare = 0.3;

const roles =
  /^(?:navigation|banner|contentinfo|search|complementary|dialog|alertdialog|menu|menubar|toolbar|tablist)$/;
/** Parts of a page that are around every page of its site, by the names of their classes and ids. */
const surroundings = new Set([
  ...[
    'nav',
    'navbar',
    'navigation',
    'docnav',
    'navheader',
    'navfooter',
    'nav-path',
    'navpath',
    'navrow',
    'topnav',
    'subnav',
  ],
  ...[
    'breadcrumb',
    'breadcrumbs',
    'sidebar',
    'sphinxsidebar',
    'sidenav',
    'related',
    'toc',
    'toctree-wrapper',
    'tocdiv',
  ],
  ...[
    'table-of-contents',
    'contents-local',
    'minitoc',
    'localtoc',
    'pagination',
    'pager',
    'prev-next',
    'prevnext',
  ],
  ...[
    'skip-link',
    'skiplink',
    'skip',
    'footer',
    'site-footer',
    'site-header',
    'page-footer',
    'masthead',
    'menu',
  ],
  ...[
    'share',
    'social',
    'social-share',
    'sharing',
    'edit-page',
    'edit-this-page',
    'edit-link',
    'feedback',
  ],
  ...[
    'newsletter',
    'advert',
    'advertisement',
    'ads',
    'mw-editsection',
    'catlinks',
    'printfooter',
    'headerlink',
  ],
  ...[
    'search',
    'searchbox',
    'search-form',
    'version-switcher',
    'language-switcher',
    'back-to-top',
    'noprint',
  ],
  ...[
    'rst-footer-buttons',
    'rst-versions',
    'wy-nav-side',
    'copybtn',
    'tabs-nav',
    'reader-only',
    'linenodiv',
    'toplang',
    'titlearea',
    'bottomlang',
    'method-click-advice',
    'toggle-source',
  ],
]);
const consent =
  /\b(?:cookie-?(?:banner|bar|consent|notice|policy|popup|law|modal)|consent-?(?:banner|modal|manager)?|gdpr|ccpa|onetrust|cookiebot|usercentrics|didomi|cc-window|cc-banner)\b/;

/** In characters: a part with more text of its own is no mere navigation, whatever its name. */
const longestSurrounding = 1500;

/** The content of a page: the element that it names, else its body; without what surrounds the content. */
export function chooseContent(body: Element): Element {
  const all = textLength(body);
  for (const isMarked of contentMarks) {
    const found = findElements(body, isMarked).sort((a, b) => textLength(b) - textLength(a));
    const [largest, ...others] = found;
    if (largest === undefined) continue;
    const together = found.reduce((sum, one) => sum + textLength(one), 0);
    const isStated = isMarked === contentMarks[0] && findElement(largest, isHeading) !== undefined;
    if (together < leastShare * all && !isStated) continue;
    // A list of articles is a page of them all.
    const chosen = others.some((one) => textLength(one) > 0.2 * textLength(largest))
      ? { ...largest, name: 'div', children: found }
      : largest;
    return withoutLeadingLinks(withoutSurroundings(withHeadingAbove(body, chosen), true));
  }
  return withoutLeadingLinks(withoutSurroundings(body, false));
}

/** The page's heading may stand in a header above its content. */
function withHeadingAbove(body: Element, content: Element): Element {
  if (findElement(content, ({ name }) => name === 'h1') !== undefined) return content;
  const headings = findElements(body, ({ name }) => name === 'h1');
  const [only] = headings;
  if (headings.length !== 1 || only === undefined || lineOf(only).length > 200) return content;
  const title = findElement(body, (element) => element === content) !== undefined;
  return title ? { ...content, children: [only, ...content.children] } : content;
}

function withoutSurroundings(element: Element, isContent: boolean): Element {
  return {
    ...element,
    children: withoutLinkLines(element.children).flatMap((child): TreeNode[] => {
      if (!isElement(child)) return [child];
      if (isSurrounding(child, isContent)) return [];
      return [
        withoutSurroundings(child, isContent || child.name === 'main' || child.name === 'article'),
      ];
    }),
  };
}

function isSurrounding(element: Element, isContent: boolean): boolean {
  const { name, attributes } = element;
  if (name === 'nav' || roles.test(attributes['role'] ?? '')) return true;
  const words = namesOf(element);
  if (name === 'a') {
    return [...words, attributes['rel'] ?? ''].some((word) =>
      /^(?:prev|previous|next)(?:[-_]|$)/.test(word),
    );
  }
  if (consent.test(words.join(' '))) return true;
  // Within the content, a header holds its heading, and an aside is a box of notes.
  if ((name === 'header' || name === 'footer' || name === 'aside') && !isContent) {
    return (
      name !== 'header' || findElement(element, isHeading) === undefined || linkShare(element) > 0.5
    );
  }
  if (name === 'footer' && textLength(element) < longestSurrounding) return true;
  if (words.some((word) => surroundings.has(word))) {
    return textLength(element) < longestSurrounding || linkShare(element) > 0.5;
  }
  // Lists of links within the page are its contents; rows of links above and below lead to other pages.
  if (/^(?:ul|ol|dl|table|p)$/.test(name) && (isContentsList(element) || isIndex(element)))
    return true;
  if (/^(?:div|p|table|center)$/.test(name)) {
    if (isWayUp(element)) return true;
    // Links that are only pictures have no text.
    const share = textLength(element) === 0 ? 1 : linkShare(element);
    return share > 0.6 && isPaging(element);
  }
  return false;
}

/** A list of so many links to other pages is an index: what they are about is told there. */
const leastIndex = 30;

function isIndex(list: Element): boolean {
  const links = findElements(list, ({ name }) => name === 'a');
  const isOwn = ({ attributes }: Element) => !/^(?:[a-z]+:)?\/\//i.test(attributes['href'] ?? '');
  return links.length >= leastIndex && linkShare(list) > 0.8 && links.every(isOwn);
}

/** A link to the top of the page, alone. */
function isWayUp(element: Element): boolean {
  const link = findElement(element, ({ name }) => name === 'a');
  if (!link?.attributes['href']?.startsWith('#')) return false;
  const words = [lineOf(element), wordsOf(link)].find((text) => text !== '') ?? '';
  return /^\W*(?:(?:back |return )?(?:to )?(?:the )?top(?: of (?:the )?page)?|nach oben|zum anfang|arriba|volver arriba)\W*$/i.test(
    words,
  );
}

/** The words of a link, or of the picture that stands for them. */
function wordsOf(link: Element): string {
  const picture = findElement(link, ({ name }) => name === 'img');
  return lineOf(link) || (picture?.attributes['alt'] ?? '');
}

/** In characters: rows of links above a page's heading are shorter. */
const longestRow = 300;

/** Takes away rows of links above the first heading and the first text: the way to the page, and menus. */
function withoutLeadingLinks(content: Element): Element {
  let hasBegun = false;
  const walk = (element: Element): Element => {
    const children = element.children.flatMap((child): TreeNode[] => {
      if (hasBegun || !isElement(child)) return [child];
      if (/^h[1-6]$/.test(child.name) || child.name === 'pre') hasBegun = true;
      else if (/^(?:div|p|table|center|ul|ol|span)$/.test(child.name) && isLinkRow(child))
        return [];
      else if (child.name === 'p' && textLength(child) > 80) hasBegun = true;
      return hasBegun ? [child] : [walk(child)];
    });
    return { ...element, children };
  };
  return walk(content);
}

function isLinkRow(element: Element): boolean {
  const text = lineOf(element);
  if (text === '' || text.length > longestRow || findElement(element, isHeading) !== undefined)
    return false;
  const links = findElements(element, ({ name }) => name === 'a');
  const crumbs = text.match(/[»›]|\s[>|]\s/gu)?.length ?? 0;
  const share = linkShare(element);
  return (
    (links.length >= 3 && share > 0.6) ||
    (links.length >= 1 && crumbs >= links.length - 1 && crumbs > 0 && share > 0.4)
  );
}

const isHeading = ({ name }: Element) => name === 'h1' || name === 'h2';

const turning =
  /^\W*(?:next|prev(?:ious)?|up|home|top|index|contents|back|weiter|zurück|vor|nach oben|inhalt|siguiente|anterior|inicio|arriba|índice)\b/iu;

/** True for a row of links to the neighbours of a page: "Next: Backup, Previous: Updates, Up: Maintenance [Contents]". */
function isPaging(element: Element): boolean {
  const text = lineOf(element);
  if (text.length >= 400) return false;
  const named =
    text.match(/\b(?:next|prev(?:ious)?|up|weiter|zurück|siguiente|anterior)\s*:/giu) ?? [];
  const links = findElements(element, ({ name }) => name === 'a').filter((link) =>
    turning.test(wordsOf(link)),
  );
  return named.length >= 2 || links.length >= 2;
}

/** Nodes without lines that are nothing but links within the page: contents that are no list. */
function withoutLinkLines(nodes: readonly TreeNode[]): TreeNode[] {
  const kept: TreeNode[] = [];
  let run: TreeNode[] = [];
  const end = () => {
    const links = run.filter((node) => isElement(node, 'a')).length;
    if (links < 3 || links > run.filter((node) => isElement(node, 'br')).length + 1)
      kept.push(...run);
    run = [];
  };
  for (const node of nodes) {
    const isLink = isElement(node, 'a') && node.attributes['href']?.startsWith('#') === true;
    const isBlank = typeof node === 'string' ? node.trim() === '' : node.name === 'br';
    if (isLink || isBlank) run.push(node);
    else {
      end();
      kept.push(node);
    }
  }
  end();
  return kept;
}

function isContentsList(list: Element): boolean {
  const links = findElements(list, ({ name }) => name === 'a');
  const within = links.filter(({ attributes }) => (attributes['href'] ?? '').startsWith('#'));
  return links.length >= 3 && within.length >= 0.9 * links.length && linkShare(list) > 0.8;
}

/** The share of an element's text that is in links, from 0 to 1. */
function linkShare(element: Element): number {
  const all = textLength(element);
  if (all === 0) return 0;
  const links = findElements(
    element,
    ({ name, attributes }) => name === 'a' && attributes['href'] !== undefined,
  );
  return links.reduce((sum, link) => sum + textLength(link), 0) / all;
}

function textLength(element: Element): number {
  let length = 0;
  for (const child of element.children) {
    if (typeof child === 'string') length += child.replaceAll(/\s+/g, ' ').trim().length;
    else if (!withoutText.has(child.name)) length += textLength(child);
  }
  return length;
}
