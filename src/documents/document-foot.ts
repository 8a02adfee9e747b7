import { isPaging, linkShare } from './link-rows.js';
import {
  findElement,
  findElements,
  isElement,
  isHeading,
  lineOf,
  type Element,
  type TreeNode,
} from './tree.js';

/** In characters. */
const longestFoot = 500;
/** In characters: a shorter document may be nothing but what looks like a foot. */
const shortestText = 600;

/** What the foot of a document tells: who owns or made it, when, and where else to go. */
const footWords =
  /©|\(c\) ?\d{4}|\bcopyright\b|all rights reserved|\b(?:maintainer|maintained by|webmaster|click here|feedback to|comments? to|generated (?:by|on|from))\b|\blast (?:modified|updated?|change[ds]?)\b|\b(?:zuletzt|letzte) (?:geändert|änderung)|\búltima (?:modificación|actualización)/iu;
/** The same without a rule above. */
const ownLine =
  /^(?:©|\(c\) ?\d{4}|copyright\b(?: ©| \(c\))? ?\d{4}|last (?:modified|updated?|changed)\b|all rights reserved)/iu;

/** A document without its foot: the last lines below a rule, or that begin as feet do. */
export function withoutFoot(body: Element): Element {
  const { children } = body;
  const [only, ...more] = children.filter((child) => !isBlank(child));
  // The text may stand in one element.
  if (isElement(only, 'div', 'center', 'section', 'article', 'main') && more.length === 0)
    return { ...body, children: [withoutFoot(only)] };
  if (lineOf(body).length < shortestText) return body;
  const rule = children.findLastIndex(
    (child, at) => isElement(child, 'hr') && !children.slice(at).every(isBlank),
  );
  if (rule > 0 && isFoot(children.slice(rule)))
    return withoutFoot({ ...body, children: children.slice(0, rule) });
  const last = children.findLastIndex((child) => !isBlank(child));
  const node = children[last];
  const above = children.slice(0, last).findLast((child) => !isBlank(child));
  if (isElement(node, 'p') && isWayOn(node))
    return withoutFoot({ ...body, children: children.slice(0, last) });
  const isOwn = isElement(node, 'p', 'div', 'center', 'address') && ownLine.test(lineOf(node));
  return isOwn && isFoot([node]) && !(isElement(above) && isHeading(above))
    ? { ...body, children: children.slice(0, last) }
    : body;
}

/** True for a row of links to the pages before and behind. */
function isWayOn(row: Element): boolean {
  const hasSign = /^\W*[‹«←<]|[›»→>]\W*$/u.test(lineOf(row));
  const links = findElements(row, ({ name }) => name === 'a');
  return links.length >= 2 && linkShare(row) > 0.8 && (hasSign || isPaging(row));
}

function isBlank(node: TreeNode): boolean {
  return isElement(node, 'hr', 'br') || (lineOf(node) === '' && !isElement(node, 'img'));
}

function isFoot(nodes: readonly TreeNode[]): boolean {
  const all: Element = { name: 'div', attributes: {}, children: [...nodes] };
  const words = lineOf(all);
  const holdsMore = ({ name }: Element) => /^(?:h[1-6]|pre|table|li|dl)$/.test(name);
  return (
    words.length <= longestFoot &&
    footWords.test(words) &&
    findElement(all, holdsMore) === undefined
  );
}
