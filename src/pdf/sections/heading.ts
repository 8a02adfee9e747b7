import type { Line } from '../layout/page.js';

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
