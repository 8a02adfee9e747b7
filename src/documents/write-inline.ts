import { cleanText } from '../sections/clean-text.js';
import { escapeInline } from '../platform/text/escape-markdown.js';
import { decoded } from '../platform/text/parse-url.js';
import { isForScreenReaders, whyHidden, withoutText } from './hidden-elements.js';
import { findElement, isElement, rawText, type Element, type TreeNode } from './tree.js';

export interface InlineHooks {
  /** Called for text that nobody sees, which is left out. */
  onHidden(element: Element): void;
  /** The number of the footnote that a reference names. */
  noteNumber(reference: string): number;
  /** Where an address leads, if a reader can open it from anywhere. */
  openAddress(href: string): string | undefined;
}

/** Text, or Markdown that is complete. */
interface Piece {
  text: string;
  isMarkdown: boolean;
}

const codeElements = new Set(['code', 'kbd', 'samp', 'tt', 'var-code']);
/** The sign of a link to the heading beside it. */
const permalink = /^[¶#§🔗\u{f0c1}]$/u;

export function isPermalink(element: Element): boolean {
  if (element.name !== 'a') return false;
  const classes = element.attributes['class'] ?? '';
  const isNamed =
    /\b(?:headerlink|header-anchor|anchorjs-link|permalink|hash-link|heading-anchor)\b/.test(
      classes,
    );
  return isNamed || permalink.test(rawText(element).trim());
}

/** The id by which an address names a heading. */
export function anchorOf(heading: Element): string | undefined {
  const link = findElement(heading, isPermalink)?.attributes['href'];
  if (link?.startsWith('#') === true && link.length > 1) return decoded(link.slice(1));
  const own = heading.attributes['id'];
  if (own !== undefined && own !== '') return own;
  const inner = findElement(heading, ({ name, attributes }) => {
    return (attributes['id'] ?? '') !== '' || (name === 'a' && (attributes['name'] ?? '') !== '');
  });
  return inner?.attributes['id'] ?? inner?.attributes['name'];
}

/** Inline nodes as Markdown on one line: code, links that lead somewhere, and text without a meaning in Markdown. */
export function writeInline(nodes: readonly TreeNode[], hooks: InlineHooks): string {
  const pieces: Piece[] = [];
  collect(nodes, pieces, hooks);
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.isMarkdown === false && !piece.isMarkdown) last.text += piece.text;
    else joined.push({ ...piece });
  }
  return joined
    .map(({ text, isMarkdown }) => (isMarkdown ? text : escapeInline(onLine(text))))
    .join('')
    .trim();
}

/** The same without any Markdown, as titles are. */
export function writePlain(nodes: readonly TreeNode[], hooks: InlineHooks): string {
  const pieces: Piece[] = [];
  collect(nodes, pieces, { ...hooks, openAddress: () => undefined }, true);
  return onLine(pieces.map(({ text }) => text).join('')).trim();
}

function onLine(text: string): string {
  return cleanText(text.replaceAll(/\s+/gu, ' ')).replaceAll('\u00ad', '');
}

function collect(
  nodes: readonly TreeNode[],
  pieces: Piece[],
  hooks: InlineHooks,
  isPlain = false,
): void {
  const add = (text: string, isMarkdown = false) => pieces.push({ text, isMarkdown });
  for (const [at, node] of nodes.entries()) {
    if (typeof node === 'string') {
      const last = pieces.at(-1);
      // The words about a picture have spaces around them.
      const isBehind = isElement(nodes[at - 1], 'img') && /^[.,;:!?)]/.test(node);
      if (last !== undefined && isBehind) last.text = last.text.replace(/ $/, '');
      add(node);
      continue;
    }
    const { name, attributes, children } = node;
    if (name === 'input' && attributes['type'] === 'checkbox') {
      add(attributes['checked'] === undefined ? '[ ] ' : '[x] ');
      continue;
    }
    if (withoutText.has(name) || isForScreenReaders(node) || isPermalink(node)) continue;
    if (whyHidden(node) !== undefined) {
      hooks.onHidden(node);
      continue;
    }
    if (name === 'br') add(' ');
    else if (name === 'img')
      add(
        describeImage(
          node,
          pieces.some(({ text }) => text.trim() !== ''),
        ),
      );
    else if (name === 'math') add(` ${formulaOf(node)} `);
    else if (name === 'note-ref') {
      if (!isPlain) add(`[^${hooks.noteNumber(attributes['ref'] ?? '')}]`, true);
    } else if (codeElements.has(name) && !isPlain) add(writeCode(rawText(node)), true);
    else if (name === 'a' && !isPlain) {
      const inner: Piece[] = [];
      collect(children, inner, { ...hooks, openAddress: () => undefined });
      const address = hooks.openAddress(attributes['href'] ?? '');
      const text = inner
        .map((piece) => (piece.isMarkdown ? piece.text : escapeInline(onLine(piece.text))))
        .join('');
      const words = text.trim();
      if (address === undefined || words === '' || /[[\]]/.test(words))
        for (const piece of inner) pieces.push(piece);
      else if (words === address || words === address.replace(/\/$/, '')) add(address, true);
      else
        add(
          `${/^\s/.test(text) ? ' ' : ''}[${words}](${address})${/\s$/.test(text) ? ' ' : ''}`,
          true,
        );
    } else if (name === 'q') {
      add('“');
      collect(children, pieces, hooks, isPlain);
      add('”');
    } else collect(children, pieces, hooks, isPlain);
  }
}

/**
 * Words about a picture; nothing for the name of its file, and for what only decorates. `isWithin`: it
 * stands behind words, where one capital word is the name of a key or button: "Press Right".
 */
function describeImage({ attributes }: Element, isWithin: boolean): string {
  const words = (attributes['alt'] ?? '').trim();
  if (isWithin && /^\p{Lu}(?:\p{L}*|\d{1,2})$/u.test(words)) return ` ${words} `;
  const isName =
    /\.(?:png|jpe?g|gif|svg|webp|ico)$|^(?:image|img|icon|logo|photo|bild|\[.*\])?\d*$/i;
  // "add line 24" of icons/add_line_24.png, and "images/lamp" of images/lamp.png.
  const keyOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const file = keyOf(fileOf(attributes['src'] ?? ''));
  const isOfFile =
    keyOf(fileOf(words)) === file || (words === words.toLowerCase() && file.includes(keyOf(words)));
  return words.length < 3 || isName.test(words) || isOfFile ? '' : ` ${words} `;
}

function fileOf(address: string): string {
  return /([^/]*?)(?:\.\w+)?(?:[?#].*)?$/.exec(address)?.[1] ?? '';
}

/** A formula as its author wrote it, where that is kept beside the drawing. */
function formulaOf(element: Element): string {
  const stated = element.attributes['alttext'];
  if (stated !== undefined) return stated;
  const annotation = findAnnotation(element);
  return (annotation === undefined ? rawText(element) : rawText(annotation))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function findAnnotation(element: Element): Element | undefined {
  for (const child of element.children) {
    if (!isElement(child)) continue;
    if (child.name === 'annotation') return child;
    const found = findAnnotation(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function writeCode(text: string): string {
  const code = text.replaceAll(/\s+/gu, ' ').trim();
  if (code === '') return '';
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return fence + pad + code + pad + fence;
}

/** A listing in a fence, without the empty lines around it; empty for one without text. */
export function writeListing(text: string): string {
  const rows = text
    .replaceAll('\t', '    ')
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((row) => row.trimEnd());
  while (rows[0] === '') rows.shift();
  while (rows.at(-1) === '') rows.pop();
  if (rows.length === 0) return '';
  const ticks = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(ticks + 1);
  return [fence, ...rows, fence].join('\n');
}
