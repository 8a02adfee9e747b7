import { dedent, indentOf, listing, type Rule } from './line-reader.js';
import { makeElement, type Element, type TreeNode } from './tree.js';

/** Directives about versions, in words. */
const ofVersions: Record<string, string> = {
  versionadded: 'New in version ',
  versionchanged: 'Changed in version ',
  deprecated: 'Deprecated since version ',
};
const listings =
  /^(?:code|code-block|sourcecode|literalinclude|parsed-literal|highlight|math|prompt)$/;
const withoutWords =
  /^(?:image|figure|include|toctree|contents|index|raw|only|meta|role|default-role|target-notes|sectnum|module|currentmodule)$/;
const boxes = /^(?:note|warning|tip|hint|caution|important|attention|danger)$/;
const field = /^:([\w -]+):(?:\s+(.*))?$/;

/** A directive or comment: its text stays if people read it, and its options go. */
export const directive: Rule = (reader) => {
  const found = /^\.\.(?:\s+([\w:-]+)::\s*(.*)|\s+(.*))?$/.exec(reader.line());
  if (found === null) return undefined;
  const [, name, argument = ''] = found;
  reader.skip();
  const inner = dedent(reader.takeIndented(1));
  if (name === undefined || withoutWords.test(name)) return [];
  if (listings.test(name)) {
    const code = inner.filter((row, at) => !(at < 3 && /^:[\w-]+:/.test(row)));
    return code.every((row) => row === '') ? [] : [listing(code)];
  }
  if (boxes.test(name)) {
    const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}: `;
    const [first, ...others] = reader.inner([argument, ...inner]);
    if (first?.name !== 'p')
      return [makeElement('p', [label]), ...(first ? [first] : []), ...others];
    return [makeElement('p', [label, ...first.children]), ...others];
  }
  const blocks: Element[] = [];
  const words = [ofVersions[name] ?? '', ...unmarked(argument)];
  if (argument !== '') blocks.push(makeElement('p', [makeElement('b', words)]));
  const content = inner.filter((row) => !/^:[\w-]+:(?:\s|$)/.test(row));
  return [...blocks, ...reader.inner(content)];
};

/** Fields: those above all paragraphs are about the file, others are terms. */
export const docinfo: Rule = (reader) => {
  const found = field.exec(reader.line());
  if (found === null) return undefined;
  const [, name = '', words = ''] = found;
  reader.skip();
  const rows = reader.takeIndented(1);
  const isAbove = reader.out.every(({ attributes }) => attributes['look'] !== undefined);
  if (isAbove && reader.depth === 0) return [];
  const text = [
    ...(words === '' ? [] : [' '.repeat(Math.max(1, indentOf(rows[0] ?? ''))) + words]),
    ...rows,
  ];
  return [makeElement('dt', [name]), makeElement('dd', reader.inner(text))];
};

/** Text without the signs of reStructuredText: roles, literals and references. */
export function unmarked(text: string): TreeNode[] {
  return [
    text
      .replaceAll(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_')
      .replaceAll(/:[\w:.+-]+:`([^`<]+?)\s*<[^`>]*>`/g, '$1')
      .replaceAll(/:[\w:.+-]+:`([^`]*)`/g, '$1')
      .replaceAll(/``([^`]+)``/g, '$1')
      .replaceAll(
        /(?<=^|[\s(\[{<\"'“‘-])\*{1,2}(?=\S)([^*\n]{1,300}?)(?<=[^\s\\])\*{1,2}(?=$|[\s.,;:!?)\]}>\"'”’/-])/g,
        '$1',
      )
      .replaceAll(/`([^`<]+?)\s*(?:<[^`>]*>)?`__?/g, '$1')
      .replace(/\s::$|(?<=[.!?:])::$/, '')
      .replace(/(?<=\S)::$/, ':'),
  ];
}
