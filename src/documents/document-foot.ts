import { findElement, isElement, lineOf, namesOf, type Element, type TreeNode } from './tree.js';

/** In characters. */
const longestFoot = 500;
const mostFeet = 20;
/** In characters: a shorter document may be nothing but what looks like a foot. */
const shortestText = 600;

/** What the foot of a document tells: who owns or made it, when, and where else to go. */
const footWords =
  /©|\(c\) ?\d{4}|\bcopyright\b|all rights reserved|\b(?:maintainer|maintained by|webmaster|click here|feedback to|comments? to|generated (?:by|on|from))\b|\blast (?:modified|updated?|change[ds]?)\b|\b(?:zuletzt|letzte) (?:geändert|änderung)|\búltima (?:modificación|actualización)/iu;

/** A document without its foot: the last lines below a rule, or what its class says is one. */
export function withoutFoot(body: Element, most = mostFeet): Element {
  const { children } = body;
  const [only, ...more] = children.filter((child) => !isBlank(child));
  // The text may stand in one element.
  if (isElement(only, 'div', 'center', 'section', 'article', 'main') && more.length === 0)
    return { ...body, children: [withoutFoot(only, most)] };
  if (most === 0 || lineOf(body).length < shortestText) return body;
  const rule = children.findLastIndex(
    (child, at) =>
      isElement(child) &&
      (child.name === 'hr' || namesOf(child).includes('copyright')) &&
      !children.slice(at).every(isBlank),
  );
  return rule > 0 && isFoot(children.slice(rule))
    ? withoutFoot({ ...body, children: children.slice(0, rule) }, most - 1)
    : body;
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
