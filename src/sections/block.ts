export type BlockKind = 'heading' | 'paragraph' | 'item' | 'code' | 'table' | 'note';

/** A self-contained piece of the document, in Markdown. */
export interface Block {
  kind: BlockKind;
  text: string;
  pageFrom: number;
  pageTo: number;
  /** In points, from the left edge of its column to its leftmost line. Tables have none. */
  left?: number;
  /** Its own name in the document: a run-in head, or a term whose definition hangs behind it. */
  label?: string;
  /** Only for headings: the level, from 1. */
  level?: number;
  /** Only for headings: the printed words, with their number. */
  printed?: string;
}
