import { Marked, type TokenizerAndRendererExtension } from 'marked';
import { AppError } from '../platform/errors.js';
import {
  childrenOf,
  findElements,
  isHeading,
  makeElement,
  parseMarkup,
  type Element,
} from './tree.js';
import { pictureName, placeUnderTitle } from './first-title.js';
import type { DocumentTree } from './sections-of-tree.js';
import { titleAbove } from './stated-title.js';

/** In characters: the most of what stands above a Markdown file. */
const longestFrontMatter = 65_536;

/** Reads Markdown as GitHub does, with footnotes, front matter and boxes of notes. */
export async function readMarkdown(text: string): Promise<DocumentTree> {
  const { fields, body } = await splitFrontMatter(text);
  const marked = new Marked({ gfm: true, async: false });
  marked.use({ extensions: [footnote, footnoteMark] });
  let html: string;
  try {
    html = marked.parse(plainBoxes(parted(body)), { async: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const sentence = 'The file nests lists or quotes too deeply to be read.';
    throw new AppError('damaged', sentence, { cause: error });
  }
  const root = parseMarkup(html, 'html');
  const notes = new Map(
    findElements(root, ({ name }) => name === 'note').map((note) => [
      note.attributes['ref'] ?? '',
      note,
    ]),
  );
  // A heading within a quotation names no chapter.
  for (const quote of findElements(root, ({ name }) => name === 'blockquote')) {
    for (const inner of findElements(quote, isHeading)) inner.name = 'p';
  }
  takeHeadingIds(root);
  const logo = pictureName(root, stateSites);
  for (const { attributes, children } of findElements(root, ({ name }) => name === 'tabitem'))
    children.unshift(makeElement('p', [makeElement('b', [attributes['label'] ?? ''])]));
  placeUnderTitle(root);
  const title = fields.title ?? logo;
  return {
    body: withoutNotes(root),
    title,
    heading: titleAbove(root, title),
    language: fields.language,
    notes,
    hidden: [],
    hasFoot: true,
    hasAddress: false,
  };
}

interface Fields {
  title?: string;
  language?: string;
}

/** In characters. The parser takes quadratic time for a paragraph, and no person writes one that is longer. */
const longestParagraph = 20_000;
/** In a list, it reads the rest of a paragraph again for each of its lines. */
const mostLines = 200;
const itemMark = /^\s*(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/** The text with empty lines in paragraphs that are too long. */
function parted(text: string): string {
  const lines: string[] = [];
  let length = 0;
  /** The lines of the present paragraph of an item; undefined outside of lists. */
  let count: number | undefined;
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const isEmpty = line.trim() === '';
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined) fence = fence === undefined ? mark : undefined;
    const isOutside = count === undefined;
    if (itemMark.test(line) && fence === undefined) count = 0;
    else if (fence !== undefined || isEmpty) count = isOutside ? undefined : 0;
    else if (length === 0 && !/^\s/.test(line)) count = undefined;
    else if (count !== undefined) count++;
    length = isEmpty ? 0 : length + line.length;
    const isLong = length > longestParagraph || (count ?? 0) > mostLines;
    if (isLong && line.length <= longestParagraph) {
      lines.push('');
      length = line.length;
      count = /^\s/.test(line) ? 0 : undefined;
    }
    lines.push(...(line.length <= longestParagraph ? [line] : piecesOf(line)));
  }
  return lines.join('\n');
}

function* piecesOf(line: string): Generator<string> {
  for (let from = 0; from < line.length;) {
    const space = line.lastIndexOf(' ', from + longestParagraph);
    const to =
      space > from && line.length - from > longestParagraph ? space + 1 : from + longestParagraph;
    if (from > 0) yield '';
    yield line.slice(from, to);
    from = to;
  }
}

async function splitFrontMatter(text: string): Promise<{ fields: Fields; body: string }> {
  // Pandoc's title, authors and date.
  const block = /^%[ \t]+(\S.*)\n(?:%.*\n|[ \t]+\S.*\n)*/.exec(text.slice(0, longestFrontMatter));
  if (block !== null)
    return { fields: { title: (block[1] ?? '').trim() }, body: text.slice(block[0].length) };
  const found = /^(---|\+\+\+)[ \t]*\n([^]*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|$)/.exec(
    text.slice(0, longestFrontMatter),
  );
  if (found === null) return { fields: {}, body: text };
  const [whole, mark, head = ''] = found;
  const body = text.slice(whole.length);
  const separator = mark === '+++' ? '=' : ':';
  // Most heads are plain lines, and one that is no YAML still has them.
  const plain = (name: string) =>
    new RegExp(`^${name}\\s*${separator}\\s*(.+)$`, 'im')
      .exec(head)?.[1]
      ?.replace(/^["']|["']\s*$/g, '');
  const fields = mark === '---' ? await readYaml(head) : {};
  const title = fields['title'] ?? plain('title');
  const language = fields['lang'] ?? fields['language'] ?? plain('lang(?:uage)?');
  return {
    fields: {
      ...(typeof title === 'string' ? { title: title.trim() } : {}),
      ...(typeof language === 'string' ? { language } : {}),
    },
    body,
  };
}

async function readYaml(head: string): Promise<Record<string, unknown>> {
  const { CORE_SCHEMA, load } = await import('js-yaml');
  try {
    const fields = load(head, { schema: CORE_SCHEMA });
    return typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** In characters. */
const longestSearched = 4000;

const footnote: TokenizerAndRendererExtension = {
  name: 'footnote',
  level: 'block',
  // Asked for at each paragraph: a search through the whole rest would take quadratic time.
  start: (source) => /^\[\^[^\]\s]+\]:/m.exec(source.slice(0, longestSearched))?.index,
  tokenizer(source) {
    const found =
      /^\[\^([^\]\s]{1,60})\]:[ \t]*([^\n]*(?:\n(?![ \t]*\n|\[\^)[^\n]+|\n+ {2,}[^\n]+)*)(?:\n|$)/.exec(
        source,
      );
    if (found === null) return undefined;
    const [raw, ref = '', text = ''] = found;
    const content = text.replaceAll(/^ {2,4}/gm, '');
    return { type: 'footnote', raw, ref, tokens: this.lexer.blockTokens(content, []) };
  },
  renderer(token) {
    return `<note ref="${escapeAttribute(String(token['ref']))}">${this.parser.parse(token.tokens ?? [])}</note>`;
  },
};

const footnoteMark: TokenizerAndRendererExtension = {
  name: 'footnoteMark',
  level: 'inline',
  tokenizer(source) {
    const found = /^\[\^([^\]\s]{1,60})\](?!\()/.exec(source);
    return found === null ? undefined : { type: 'footnoteMark', raw: found[0], ref: found[1] };
  },
  renderer: (token) => `<note-ref ref="${escapeAttribute(String(token['ref']))}"></note-ref>`,
};

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Directives of MyST whose content is text; others are listings or lists of files. */
const boxes =
  /^(?:note|tip|hint|important|warning|caution|danger|attention|admonition|seealso|dropdown|versionadded|versionchanged|deprecated)$/i;

/** Boxes of notes in the dialects of documentation sites, as bold words above plain text. */
function plainBoxes(text: string): string {
  const written: string[] = [];
  let fence: string | undefined;
  let box: string | undefined;
  let isIndented = false;
  for (const line of text.split('\n')) {
    if (isIndented && (line.trim() === '' || line.startsWith('    '))) {
      written.push(line.replace(/^ {4}/, ''));
      continue;
    }
    isIndented = false;
    const [, mark, info = ''] = /^ {0,3}(`{3,}|~{3,}|:{3,})(.*)$/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && info.trim() === '') fence = undefined;
      written.push(line);
      continue;
    }
    const [, kind, title = ''] = /^\s*\{?([\w-]*)\}?\s*(.*?)\s*$/.exec(info) ?? [];
    if (mark !== undefined && mark === box && info.trim() === '') {
      box = undefined;
      written.push('');
    } else if (
      mark?.startsWith(':') === true ||
      (mark !== undefined && /^\s*\{/.test(info) && boxes.test(kind ?? ''))
    ) {
      if (info.trim() !== '') box = mark;
      const words = title.replace(/^\[(.*)\]$/, '$1') || capitalized(kind ?? '');
      written.push('', words === '' ? '' : `**${words}:**`, '');
    } else if (mark !== undefined) {
      fence = mark;
      written.push(line);
    } else {
      const [, name, own] =
        /^(?:(?:!!!|\?\?\?\+?)\s+([\w-]+)|===[!+]?(?=\s+"))(?:\s+"([^"]*)")?\s*$/.exec(line) ?? [];
      const words = own ?? (name && capitalized(name));
      isIndented = words !== undefined;
      if (words === undefined) written.push(...plainLines(line));
      else written.push('', `**${words}:**`, '');
    }
  }
  return written.join('\n');
}

/** What only the generator of a site understands: labels, imports of components, lists of contents, attributes, comments. */
const generatorLine =
  /^(?:\([\w-]+\)=|(?:import|export)\s.+\sfrom\s+['"].+['"];?|\[\[?_?toc_?\]?\]|\{:[^{}]*\}|\{\/\*.*\*\/\})$/i;

/** A line without that; without calls of templates, roles and codes of pictures; and a definition below its term. */
function plainLines(line: string): string[] {
  if (generatorLine.test(line.trim())) return [''];
  const text = /^\s*\{[{%]/.test(line)
    ? line.replaceAll(/\{\{[<%][^{}]*[%>]\}\}|\{%[^{}]*%\}/g, '')
    : line.replaceAll(/\{[\w:-]+\}`([^`<]*?)(?:\s*<[^`>]*>)?`/g, '$1');
  const [, definition] = /^:[ \t]{1,3}(\S.*)$/.exec(text) ?? [];
  if (definition !== undefined) return ['', definition];
  if (/^#{1,6}\s/.test(text)) return [text.replaceAll(/(?<=\s):[a-z][\w+-]+:(?:\s|$)/g, '')];
  const alert = (_: string, quote: string, kind: string) => `${quote}**${capitalized(kind)}:**`;
  return [text.replace(/^(\s*>\s*)\[!(\w+)\]\s*$/, alert)];
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

/** Takes ids that some dialects write behind a heading: `## Backup {#backup}`. */
function takeHeadingIds(root: Element): void {
  for (const heading of findElements(root, ({ name }) => /^h[1-6]$/.test(name))) {
    const last = heading.children.at(-1);
    if (typeof last !== 'string') continue;
    const found = /\s*\{#([^\s{}]+)[^{}]*\}\s*$/.exec(last);
    if (found === null) continue;
    heading.children[heading.children.length - 1] = last.slice(0, found.index);
    heading.attributes['id'] = found[1] ?? '';
  }
}

/** Addresses of pictures of a state that other sites draw. */
const stateSites = /badge|shields?\.io|button|travis|codecov|coveralls|\/workflows\//i;

function withoutNotes(root: Element): Element {
  const children = root.children.filter(
    (child) => typeof child === 'string' || child.name !== 'note',
  );
  const [html] = childrenOf(root, 'html');
  return makeElement('#root', html === undefined ? children : html.children);
}
