import type { MarkedToken, Token, Tokens } from 'marked';

export type RunStyle = 'text' | 'bold' | 'italic' | 'code';

/** A stretch of text in one style. */
export interface Run {
  text: string;
  style: RunStyle;
}

/** Level 1 is a part of the manual (one file, one language), 2 a chapter, 3 a section. */
export interface Heading {
  kind: 'heading';
  level: 1 | 2 | 3;
  /** Counted from the start of the part: `7` for a chapter, `7.2` for a section, empty for a part. */
  number: string;
  text: string;
}

export type Block =
  | Heading
  | { kind: 'paragraph' | 'note'; runs: Run[] }
  | { kind: 'list'; ordered: boolean; items: Run[][] }
  /** A file, by its path from the manual's folder, and what it shows. */
  | { kind: 'picture'; path: string; caption: string }
  | { kind: 'code'; lines: string[] }
  | { kind: 'table'; header: Run[][]; rows: Run[][][] };

/**
 * The blocks of one Markdown file. Headings are numbered here, so that the files need no renumbering by
 * hand. Throws on Markdown that the manual has no form for: dropped content would go unnoticed.
 */
export async function readManual(markdown: string): Promise<Block[]> {
  const { lexer } = await import('marked');
  const number = headingNumbers();
  return knownTokens(lexer(markdown)).flatMap((token) => readBlock(token, number));
}

function readBlock(token: MarkedToken, number: (level: number) => string): Block[] {
  switch (token.type) {
    case 'space':
      return [];
    case 'heading': {
      const level = token.depth;
      if (level !== 1 && level !== 2 && level !== 3) break;
      return [{ kind: 'heading', level, number: number(level), text: token.text }];
    }
    case 'paragraph': {
      const [first, ...others] = knownTokens(token.tokens);
      if (first?.type === 'image' && others.length === 0)
        return [{ kind: 'picture', path: first.href, caption: first.text }];
      return [{ kind: 'paragraph', runs: readRuns(token.tokens) }];
    }
    case 'blockquote':
      return [{ kind: 'note', runs: readRuns(token.tokens) }];
    case 'list':
      return [readList(token)];
    case 'code':
      return [{ kind: 'code', lines: token.text.split('\n') }];
    case 'table': {
      const header = token.header.map((cell) => readRuns(cell.tokens));
      const rows = token.rows.map((row) => row.map((cell) => readRuns(cell.tokens)));
      return [{ kind: 'table', header, rows }];
    }
  }
  throw new Error(`The manual has no form for this Markdown: ${token.raw}`);
}

function readList(token: Tokens.List): Block {
  const items = token.items.map((item) => readRuns(item.tokens));
  return { kind: 'list', ordered: token.ordered, items };
}

function readRuns(tokens: Token[], style: RunStyle = 'text'): Run[] {
  return knownTokens(tokens).flatMap((token): Run[] => {
    switch (token.type) {
      case 'paragraph':
        return readRuns(token.tokens, style);
      case 'text':
        return token.tokens
          ? readRuns(token.tokens, style)
          : [{ text: oneLine(token.text), style }];
      case 'escape':
        return [{ text: token.text, style }];
      case 'codespan':
        return [{ text: token.text, style: 'code' }];
      case 'link':
        return readRuns(token.tokens, style);
      case 'strong':
        return readRuns(token.tokens, 'bold');
      case 'em':
        return readRuns(token.tokens, 'italic');
    }
    throw new Error(`The manual has no form for this Markdown: ${token.raw}`);
  });
}

/** marked types its tokens with an open end for extensions, of which there are none here. */
function knownTokens(tokens: Token[]): MarkedToken[] {
  return tokens as MarkedToken[];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function headingNumbers(): (level: number) => string {
  let chapter = 0;
  let section = 0;
  return (level) => {
    if (level === 1) return '';
    if (level === 3) return `${chapter}.${++section}`;
    section = 0;
    return String(++chapter);
  };
}
