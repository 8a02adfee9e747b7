/* The syntax tree of Markdown. Unsupported syntax stays text, in particular raw HTML. */

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'em' | 'del'; children: Inline[] }
  /** `href` is http, https or mailto. */
  | { type: 'link'; href: string; children: Inline[] }
  /** `[3]`: source number 3. `sign` is the punctuation after it, because browsers may break a line after a button. */
  | { type: 'citation'; number: number; sign: string };

/** The alignment of a table column; empty when not specified. */
export type Alignment = '' | 'left' | 'center' | 'right';

export type Block = {
  /** For top-level blocks: the end of the block's source, including its line break. Nested blocks: no meaning. */
  to: number;
} & (
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: number; children: Inline[] }
  /** `cited`: the sources of the whole block. */
  | { type: 'code'; language: string; text: string; cited: Inline[] }
  | { type: 'quote'; children: Block[] }
  /** `start`: the first number of a numbered list. */
  | { type: 'list'; start: number | undefined; children: Block[] }
  | { type: 'item'; children: Block[] }
  /** Rows may have fewer or more cells than the head. `align` has an entry for each cell of the head. */
  | { type: 'table'; head: Inline[][]; align: Alignment[]; children: Inline[][][] }
  | { type: 'rule' }
);
