/*
 * What Markdown is read as. Whatever is none of it stays text, raw HTML above all.
 */

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'em' | 'del'; children: Inline[] }
  /** `href` is http, https or mailto. */
  | { type: 'link'; href: string; children: Inline[] }
  /** `[3]`: source number 3, with the punctuation behind it: browsers may break a line behind a button. */
  | { type: 'citation'; number: number; sign: string };

/** Of a table's column; empty where nothing was said. */
export type Alignment = '' | 'left' | 'center' | 'right';

export type Block = {
  /** Of blocks at the top: where the source ends, the line break included; within others of no meaning. */
  to: number;
} & (
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'heading'; level: number; children: Inline[] }
  /** `cited`: the sources of all of it. */
  | { type: 'code'; language: string; text: string; cited: Inline[] }
  | { type: 'quote'; children: Block[] }
  /** `start`: the first number, of a numbered list. */
  | { type: 'list'; start: number | undefined; children: Block[] }
  | { type: 'item'; children: Block[] }
  /** Rows may have fewer cells than the head, or more. `align` has an entry for each cell of the head. */
  | { type: 'table'; head: Inline[][]; align: Alignment[]; children: Inline[][][] }
  | { type: 'rule' }
);
