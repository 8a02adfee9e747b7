import type { DocumentTree } from './sections-of-tree.js';
import { isDrawn, isTyped } from './typed-lines.js';
import { makeElement, type Element } from './tree.js';

/** In characters: a longer line is no heading. */
const longestHeading = 120;
const underline = /^([=\-~^"'`*+#:._])\1{2,}\s*$/;
const bullet = /^(\s*)(?:[-*•+o–])\s+(?=\S)/u;
const number = /^(\s*)(\(?(?:\d{1,3}|[a-z])[.)]|\d{1,2}\/)\s+(?=\S)/;
const numberedHeading =
  /^((?:\d{1,2}\.)*\d{1,2}\.?|[A-Z]\.\d+(?:\.\d+)*|(?:Chapter|Section|Kapitel|Abschnitt|Capítulo|Sección)\s+\d+[.:]?)\s+(\p{Lu}.*)$/u;

const compoundHeading = /^(\d{1,2}(?:\.\d{1,2}){1,4}\.?)\s+(\S.*)$/;

/**
 * Reads plain text: paragraphs, lists and listings by their indentation, and headings that are underlined, numbered or
 * in capitals between empty lines. It understands the common part of reStructuredText.
 */
export function readText(text: string): DocumentTree {
  const plain = text.replace(/^.*-\*-.*-\*-.*\n/, '');
  const lines = dedent(plain.split('\n').map((line) => solid(withoutTabs(line).trimEnd())));
  const body = makeElement('#root', new TextReader(lines).read());
  return { body, title: '', language: undefined, notes: new Map(), hidden: [], hasAddress: false };
}

/** A line with blanks up to each tab stop, so that columns stay below each other. */
function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line;
  const [first = '', ...others] = line.split('\t');
  return others.reduce(
    (out, part) => out.padEnd((Math.floor(out.length / 8) + 1) * 8) + part,
    first,
  );
}

/** A line of signs without the blanks between them: `= = = =`. */
function solid(line: string): string {
  return /^\s*([=*#~_-])(?: \1){4,}$/.test(line) ? line.replaceAll(' ', '') : line;
}

/** Takes away the margin that all lines have. */
function dedent(lines: readonly string[]): string[] {
  const margins = lines.filter((line) => line !== '').map((line) => line.search(/\S/));
  const margin = margins.reduce((least, one) => Math.min(least, one), 100);
  return lines.map((line) => line.slice(margin === 100 ? 0 : margin).replaceAll('\f', ''));
}

/** Directives about versions, in words. */
const ofVersions: Record<string, string> = {
  versionadded: 'New in version ',
  versionchanged: 'Changed in version ',
  deprecated: 'Deprecated since version ',
};

class TextReader {
  #at = 0;
  readonly #out: Element[] = [];
  /** The signs of underlines in the order of their levels. */
  readonly #signs: string[] = [];

  constructor(readonly lines: readonly string[]) {}

  read(): Element[] {
    while (this.#at < this.lines.length) this.#readBlock();
    return this.#out;
  }

  #line(offset = 0): string {
    return this.lines[this.#at + offset] ?? '';
  }

  #readBlock(): void {
    const line = this.#line();
    if (line === '') {
      this.#at++;
      return;
    }
    if (this.#readUnderlined() || this.#readDirective() || this.#readGrid()) return;
    if (underline.test(line)) {
      this.#at++;
      return;
    }
    if (this.#readPlainHeading()) return;
    const item = bullet.exec(line) ?? number.exec(line);
    if (item !== null && (item[1] ?? '').length < 8) {
      this.#readList();
      return;
    }
    if (line.search(/\S/) >= 4) {
      this.#readIndented();
      return;
    }
    this.#readParagraph();
  }

  /** A heading with a line of signs below it, and perhaps the same above. */
  #readUnderlined(): boolean {
    const hasOverline =
      underline.test(this.#line()) && underline.test(this.#line(2)) && this.#line(1) !== '';
    const title = this.#line(hasOverline ? 1 : 0).trim();
    const margin = hasOverline ? 0 : Math.max(0, this.#line().search(/\S/));
    const under = hasOverline ? this.#line(2) : this.#line(1);
    // A title and its line may be indented alike.
    const below = under.search(/\S/) === margin ? under.trim() : under;
    const sign = underline.exec(below)?.[1];
    if (sign === undefined || title === '' || title.length > longestHeading) return false;
    if (!hasOverline && (margin > 3 || underline.test(title))) return false;
    // A line below a paragraph parts it from the next.
    const isRule = below.length > title.length + 6 && (this.lines[this.#at - 1] ?? '') !== '';
    if (isRule && !hasOverline) return false;
    const isLong = below.trimEnd().length >= Math.min(0.7 * title.length, title.length - 2);
    if (!isLong || !/[\p{L}\p{N}]/u.test(title)) return false;
    const key = hasOverline ? sign + sign : sign;
    if (!this.#signs.includes(key)) this.#signs.push(key);
    this.#pushHeading(title, this.#signs.indexOf(key) + 1);
    this.#at += hasOverline ? 3 : 2;
    return true;
  }

  /** A numbered line, or one in capitals, that stands alone between empty lines and ends no sentence. */
  #readPlainHeading(): boolean {
    let line = this.#line();
    // A numbered heading may go on below its words.
    const goesOn =
      line.length >= 50 && compoundHeading.test(line) && /^ {2,}\S/.test(this.#line(1));
    if (goesOn) line += ` ${this.#line(1).trim()}`;
    const rows = goesOn ? 2 : 1;
    const isAlone = (this.lines[this.#at - 1] ?? '') === '' && this.#line(rows) === '';
    if (!isAlone || line.startsWith(' ') || line.length > 80 * rows || /[.,;:!]$/.test(line))
      return false;
    const numbered =
      compoundHeading.exec(line) ?? (line.endsWith('?') ? null : numberedHeading.exec(line));
    const letters = line.replaceAll(/[^\p{L}]+/gu, '');
    const isCapital =
      letters.length >= 4 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
    // In lower case, it may be a command.
    const isFirst = this.#out.length === 0;
    const hashed = (
      isFirst ? /^(#{1,4})\s+(\p{L}.*?)[\s#]*$/u : /^(#{1,4})\s+(\p{Lu}.*?)[\s#]*$/u
    ).exec(line);
    if (numbered === null && hashed === null && !isCapital) return false;
    const [, hashes = '', words] = hashed ?? [];
    if (words !== undefined) {
      this.#pushHeading(words, hashes.length);
      this.#at++;
      return true;
    }
    const above = this.#signs.length;
    const depth =
      numbered === null ? 1 : (numbered[1] ?? '').split('.').filter((part) => part !== '').length;
    this.#pushHeading(line, Math.min(6, above + depth));
    this.#at += rows;
    return true;
  }

  #pushHeading(title: string, level: number): void {
    const words = /^([=#*~]{1,5})\s+(\S.*?)\s+\1$/.exec(title)?.[2] ?? title;
    this.#out.push(makeElement(`h${Math.min(6, Math.max(1, level))}`, [unmarked(words)]));
  }

  /** A directive of reStructuredText: its text stays if people read it, and its options go. */
  #readDirective(): boolean {
    const line = this.#line();
    const found = /^\.\.(?:\s+([\w:-]+)::\s*(.*)|\s+(.*))?$/.exec(line);
    if (found === null) return false;
    const [, name, argument = ''] = found;
    this.#at++;
    const inner = dedent(this.#takeIndented(1));
    if (name === undefined) return true;
    if (
      /^(?:code|code-block|sourcecode|literalinclude|parsed-literal|highlight|math|prompt)$/.test(
        name,
      )
    ) {
      const code = inner.filter((row, at) => !(at < 3 && /^:[\w-]+:/.test(row))).join('\n');
      if (code.trim() !== '') this.#out.push(makeElement('pre', [code]));
      return true;
    }
    if (
      /^(?:image|figure|include|toctree|contents|index|raw|only|meta|role|default-role|target-notes|sectnum|module|currentmodule)$/.test(
        name,
      )
    ) {
      return true;
    }
    const content = inner.filter((row) => !/^:[\w-]+:(?:\s|$)/.test(row));
    const title = `${ofVersions[name] ?? ''}${unmarked(argument)}`;
    if (argument !== '') this.#out.push(makeElement('p', [makeElement('b', [title])]));
    this.#out.push(...new TextReader(content).read());
    return true;
  }

  /** A drawing or table of signs keeps its lines. */
  #readGrid(): boolean {
    const isRow = (line: string) =>
      /^\s*[+|].*[+|]\s*$/.test(line) || /^\s*(?:=+\s+)+=+\s*$/.test(line);
    if (!isRow(this.#line()) || this.#line(1) === '') return false;
    const rows: string[] = [];
    while (this.#line() !== '') {
      rows.push(this.#line());
      this.#at++;
    }
    this.#out.push(makeElement('pre', [rows.join('\n')]));
    return true;
  }

  #readList(): void {
    const first = this.#line();
    const isNumbered = !bullet.test(first);
    const pattern = isNumbered ? number : bullet;
    const depth = first.search(/\S/);
    const items: Element[] = [];
    for (;;) {
      const found = pattern.exec(this.#line());
      if (found === null || this.#line().search(/\S/) !== depth) break;
      const marker = isNumbered ? (found[2] ?? '').replace('/', '.') : '-';
      const rows = [this.#line().slice(found[0].length)];
      this.#at++;
      // Without an indentation, lines go on up to an empty one.
      while (
        this.#line() !== '' &&
        this.#line().search(/\S/) <= depth &&
        !bullet.test(this.#line()) &&
        !number.test(this.#line())
      ) {
        rows.push(this.#line().trim());
        this.#at++;
      }
      const inner = this.#takeIndented(depth + 1);
      const [head, rest] = parted([...rows, ...dedent(inner)]);
      items.push(makeElement('li', [unmarked(head), ...new TextReader(rest).read()], { marker }));
      while (this.#line() === '' && this.#at < this.lines.length && pattern.test(this.#line(1)))
        this.#at++;
    }
    this.#out.push(makeElement(isNumbered ? 'ol' : 'ul', items));
  }

  /** The lines from here that are indented by at least `least`, with empty ones between them. */
  #takeIndented(least: number): string[] {
    const rows: string[] = [];
    while (this.#at < this.lines.length) {
      const line = this.#line();
      if (line === '') {
        let next = 1;
        while (this.#line(next) === '' && this.#at + next < this.lines.length) next++;
        if (this.#line(next).search(/\S/) < least) break;
      } else if (line.search(/\S/) < least) break;
      rows.push(line);
      this.#at++;
    }
    return rows;
  }

  /** An indented passage: a listing below "::" and where it looks like one, else a quotation. */
  #readIndented(): void {
    const left = this.#line().search(/\S/);
    const rows = dedent(this.#takeIndented(4));
    const [only = ''] = rows;
    if (left >= centred && rows.length === 1 && /^[\p{L}\p{N}][^{}[\]<>=;$|\\]*$/u.test(only)) {
      if (this.#out.length === 0 && only.length <= 80) this.#pushHeading(only, 1);
      else this.#out.push(makeElement('p', [unmarked(only)]));
      return;
    }
    const last = this.#out.at(-1);
    const announced =
      typeof last?.children.at(-1) === 'string' && /:$/.test(last.children.at(-1) as string);
    const text = rows.join('\n');
    const words = text.match(/\p{L}+/gu)?.length ?? 0;
    const signs = text.match(/[{}[\]<>=;$|\\_#]/g)?.length ?? 0;
    const isList = words > 12 && signs < 0.1 * words && (bullet.test(only) || number.test(only));
    const isProse =
      isList || (!announced && words > 12 && signs < 0.1 * words && /[.!?][)"”»]?$/m.test(text));
    if (isProse) this.#out.push(makeElement('blockquote', new TextReader(rows).read()));
    else this.#out.push(makeElement('pre', [text]));
  }

  #readParagraph(): void {
    const end = this.lines.indexOf('', this.#at);
    const block = this.lines.slice(this.#at, end < 0 ? undefined : end);
    if (isTyped(block)) {
      this.#out.push(makeElement('pre', [block.join('\n')]));
      this.#at += block.length;
      return;
    }
    const rows: string[] = [];
    while (this.#line() !== '' && !(rows.length > 0 && this.#beginsOther())) {
      rows.push(this.#line().trim());
      this.#at++;
    }
    // A term above its indented explanation.
    const isTerm = rows.length === 1 && this.#line().search(/\S/) >= 2;
    if (isDrawn(rows)) {
      this.#out.push(
        makeElement('pre', [this.lines.slice(this.#at - rows.length, this.#at).join('\n')]),
      );
      return;
    }
    const text = unmarked(rows.join(' '));
    this.#out.push(makeElement(isTerm ? 'dt' : 'p', [text]));
  }

  /** True where a line within a paragraph begins a list or is the title of an underline. */
  #beginsOther(): boolean {
    const line = this.#line();
    if (bullet.test(line) && !/^\s*[–o-]\s/.test(line)) return true;
    if (/^\s*-\s+\S/.test(line) && /^\s*-\s+\S/.test(this.#line(1))) return true;
    if (line.search(/\S/) >= 2 && this.#line(-1).search(/\S/) < 2) return true;
    if (/^:[\w -]+:\s/.test(line) || underline.test(line)) return true;
    const { length } = this.#line(1);
    return (
      underline.test(this.#line(1)) && length >= 0.7 * line.length && length <= line.length + 6
    );
  }
}

/** In characters: a line that is indented by more is in the middle of the page. */
const centred = 8;
/** The first paragraph of an item, and the rest. */
function parted(rows: readonly string[]): [string, string[]] {
  const end = rows.findIndex(
    (row, at) => at > 0 && (row === '' || bullet.test(row) || number.test(row)),
  );
  const head = end < 0 ? rows : rows.slice(0, end);
  return [head.map((row) => row.trim()).join(' '), end < 0 ? [] : rows.slice(end)];
}

/** Text without the signs of reStructuredText: roles, literals and references. */
function unmarked(text: string): string {
  return text
    .replaceAll(/:[\w:.+-]+:`([^`<]+?)\s*<[^`>]*>`/g, '$1')
    .replaceAll(/:[\w:.+-]+:`([^`]*)`/g, '$1')
    .replaceAll(/``([^`]+)``/g, '$1')
    .replaceAll(/(?<![\w*])\*{1,2}(?=\S)([^*\n]{1,300}?)(?<=\S)\*{1,2}(?![\w*])/g, '$1')
    .replaceAll(/`([^`<]+?)\s*(?:<[^`>]*>)?`__?/g, '$1')
    .replace(/\s::$/, '')
    .replace(/(?<=\S)::$/, ':');
}
