import type { Line } from '../layout/page.js';

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

/** A heading in the text: its lines and its level, from 1. */
export interface Heading {
  title: string;
  level: number;
  lines: Line[];
  /** A title that is not printed has no lines, and stands above this one. */
  above?: Line;
}

/** The headings that begin at each line. */
export function headingsByLine(headings: readonly Heading[]): Map<Line, Heading[]> {
  const byLine = new Map<Line, Heading[]>();
  for (const heading of headings) {
    const line = heading.above ?? heading.lines[0];
    if (line !== undefined) byLine.set(line, [...(byLine.get(line) ?? []), heading]);
  }
  return byLine;
}
