import { isBlock } from './inline-nodes.js';
import {
  isShort,
  isMainHeading,
  isIndex,
  isMenuCell,
  isPaging,
  linkShare,
  textLength,
  withoutLeadingLinks,
  withoutLinkRuns,
} from './link-rows.js';
import {
  findElement,
  findElements,
  isElement,
  isHeading,
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
const surroundings = new Set(
  `
    nav navbar navigation docnav navheader navfooter nav-path navpath navrow topnav subnav
    breadcrumb breadcrumbs sidebar sphinxsidebar sidenav related toc page-toc toctree-wrapper
    tocdiv table-of-contents contents-local minitoc localtoc pagination pager prev-next prevnext
    skip-link skiplink skip footer site-footer site-header page-footer masthead menu share
    social social-share sharing edit-page edit-this-page edit-link feedback newsletter advert
    advertisement ads mw-editsection catlinks printfooter headerlink search searchbox
    search-form version-switcher language-switcher back-to-top noprint rst-footer-buttons
    rst-versions wy-nav-side copybtn tabs-nav reader-only toplang titlearea bottomlang
    method-click-advice toggle-source theme-doc-version-banner theme-doc-version-badge edit-info
    md-source-file
  `
    .trim()
    .split(/\s+/),
);
/** Numbers beside the lines of a listing. */
const lineNumbers =
  /^(?:linenos?|linenodiv|gutter|(?:source)?-?line-?(?:numbers?|no)(?:-\w+)?|lnt|blob-num)$/;
const consent =
  /\b(?:cookie-?(?:banner|bar|consent|notice|policy|popup|law|modal)|consent-?(?:banner|modal|manager)?|gdpr|ccpa|onetrust|cookiebot|usercentrics|didomi|cc-window|cc-banner)\b/;

/** In characters, with blanks: rows of links to other pages are shorter. */
const longestRow = 4000;

/** In characters, with blanks. */
const longestForm = 400;

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
    const isStated =
      isMarked === contentMarks[0] && findElement(largest, isMainHeading) !== undefined;
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
    children: withoutLinkRuns(element.children).flatMap((child): TreeNode[] => {
      if (!isElement(child)) return [child];
      if (isSurrounding(child, isContent)) return [];
      return [
        withoutSurroundings(child, isContent || child.name === 'main' || child.name === 'article'),
      ];
    }),
  };
}

const holdsText = ({ name }: Element) => /^(?:h[1-6]|ul|ol|dl|pre)$/.test(name);

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
  if (attributes['aria-hidden'] === 'true' && findElement(element, isBlock) === undefined)
    return !isHeading(element);
  if (name === 'form' && isShort(element, longestForm))
    return findElement(element, holdsText) === undefined;
  // The name of the language above a listing.
  if (name === 'span' && words.includes('lang')) return /^[a-z+#]{1,10}$/.test(lineOf(element));
  if (words.some((word) => lineNumbers.test(word))) return !/\p{L}/u.test(lineOf(element));
  // Within the content, a header holds its heading, and an aside is a box of notes.
  if ((name === 'header' || name === 'footer' || name === 'aside') && !isContent) {
    return (
      name !== 'header' ||
      findElement(element, isMainHeading) === undefined ||
      linkShare(element) > 0.5
    );
  }
  if (name === 'footer' && textLength(element) < longestSurrounding) return true;
  if (words.some((word) => surroundings.has(word))) {
    return textLength(element) < longestSurrounding || linkShare(element) > 0.5;
  }
  if (/^(?:ul|ol|dl|table|p)$/.test(name) && isIndex(element)) return true;
  if (name === 'td' && isMenuCell(element)) return true;
  if (/^(?:div|p|table|center)$/.test(name)) {
    if (!isShort(element, longestRow)) return false;
    // Links that are only pictures have no text.
    const share = textLength(element) === 0 ? 1 : linkShare(element);
    const isNamed = /^\W*(?:next|prev(?:ious)?)\s*:/i.test(lineOf(element));
    const isRow = share > 0.6 || (isNamed && findElement(element, holdsText) === undefined);
    return isRow && isPaging(element);
  }
  return false;
}
