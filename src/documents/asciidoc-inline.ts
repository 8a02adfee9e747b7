import { makeElement, type TreeNode } from './tree.js';

const attribute = /^:!?(\w[\w .-]*)!?:(?:\s+(.*))?$/;
const attributeName = /\{([\w-]+)\}/g;
/** In characters: values in values could grow without an end. */
const longestValue = 1000;

/** Remembers the attribute that a line states, with those in its value. False for a line that states none. */
export function setAttribute(attributes: Map<string, string>, line: string): boolean {
  const [, name, value = ''] = attribute.exec(line) ?? [];
  if (name === undefined) return false;
  const whole = value.replaceAll(attributeName, (mark, inner: string) => {
    return attributes.get(inner) ?? mark;
  });
  attributes.set(name, whole.slice(0, longestValue));
  return true;
}

/** What stands between plus signs, in code or in words, or in `pass:[…]`: words that have no signs, whatever they look like. */
const literal =
  /(?<=`)\+([^`\n]{1,200})\+(?=`)|(?<=^|[\s(,;:"'])\+(?=[^\s`+])([^+`\n]{1,200})(?<=\S)\+(?=[\s,.;:)"']|$)|(?<![\w+\\])(\+{2,3})(?=[^\s`])([^+`\n]{1,200})(?<=\S)\3(?![\w+])|\bpass:[a-z]*\[([^\]\n]*)\]/g;
/** A plane of characters that no text has: a sign that is moved there means nothing to the rules. */
const apart = 0x10_00_00;

function guarded(words: string): string {
  return words.replaceAll(/[^\p{L}\p{N}\s]/gu, (sign) =>
    sign.length === 1 ? String.fromCodePoint(apart + sign.charCodeAt(0)) : sign,
  );
}

function bared(text: string): string {
  return text.replaceAll(/[\u{100000}-\u{10fffd}]/gu, (sign) =>
    String.fromCharCode((sign.codePointAt(0) ?? apart) - apart),
  );
}

/** Text without the signs of AsciiDoc, with its links and the values of its attributes. */
export function inlineAsciidoc(text: string, attributes: ReadonlyMap<string, string>): TreeNode[] {
  const plain = text
    .replaceAll(literal, (...found: string[]) =>
      guarded(found[1] ?? found[2] ?? found[4] ?? found[5] ?? ''),
    )
    .replaceAll(attributeName, (whole, name: string) => attributes.get(name) ?? whole)
    .replaceAll(/\b[a-z]+:([\w.-]+)\[(\d)\]/g, '$1($2)')
    .replaceAll(/(?:footnote|indexterm|kbd|btn|menu|icon|anchor):[\w.-]*\[([^\]]*)\]/g, ' $1')
    .replaceAll(/\(\(\(.*?\)\)\)|\[\[[^\]]*\]\]/g, '')
    .replaceAll(/<<[^>,]*,\s*([^>]*)>>/g, '$1')
    .replaceAll(/<<#?([^>]*)>>/g, '$1')
    .replaceAll(/xref:[^\s[]+\[([^\]]*)\]/g, '$1')
    .replaceAll(/(?<![\w*])(\*{1,2})(?=\S)([^*\n]{1,300}?)(?<=\S)\1(?![\w*])/g, '$2')
    .replaceAll(/(?<![\w_])(_{1,2})(?=\S)([^_\n]{1,300}?)(?<=\S)\1(?![\w_])/g, '$2')
    .replaceAll(/(?<![\w*])(\*)(?=\S)([^*\n]{1,300}?)(?<=\S)\1(?![\w*])/g, '$2')
    .replaceAll(/\s\+$/g, '');
  const nodes: TreeNode[] = [];
  let from = 0;
  const parts =
    /\bimage:(?!:)([^\s[\]]+)\[([^\],]*)[^\]]*\]|`{1,2}([^`\n]{1,300})`{1,2}|(?:link:(\S+?)|(https?:\/\/[^\s[\]]+|mailto:[^\s[\]]+))\[([^\]]*)\]/g;
  for (const found of plain.matchAll(parts)) {
    const [whole, src, alt = '', code, target, address = target ?? '', words = ''] = found;
    nodes.push(bared(plain.slice(from, found.index)));
    from = found.index + whole.length;
    if (src !== undefined) nodes.push(makeElement('img', [], { src, alt: bared(alt) }));
    else if (code !== undefined) nodes.push(makeElement('code', [bared(code)]));
    else
      nodes.push(
        makeElement('a', [bared(words === '' ? address : words)], { href: bared(address) }),
      );
  }
  return [...nodes, bared(plain.slice(from))];
}
