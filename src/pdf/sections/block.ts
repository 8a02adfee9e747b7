import type { Line } from '../layout/page.js';

export type BlockKind = 'heading' | 'paragraph' | 'item' | 'code' | 'table' | 'note';

/** A piece of the document that reads as a whole, in Markdown. */
export interface Block {
  kind: BlockKind;
  text: string;
  pageFrom: number;
  pageTo: number;
  /** Of headings only, from 1. */
  level?: number;
  /** Of headings only: the words as they stand in the text, with their number. */
  printed?: string;
}

/** A title in the text: the lines it is set in, and how deep it stands, from 1. */
export interface Heading {
  title: string;
  level: number;
  lines: Line[];
}
