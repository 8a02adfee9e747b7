import type { Line } from '../layout/page.js';

export type BlockKind = 'heading' | 'paragraph' | 'item' | 'code' | 'table' | 'note';

/** A self-contained piece of the document, in Markdown. */
export interface Block {
  kind: BlockKind;
  text: string;
  pageFrom: number;
  pageTo: number;
  /** Only for headings: the level, from 1. */
  level?: number;
  /** Only for headings: the printed words, with their number. */
  printed?: string;
}

/** A heading in the text: its lines and its level, from 1. */
export interface Heading {
  title: string;
  level: number;
  lines: Line[];
}
