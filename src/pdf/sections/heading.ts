import type { Line } from '../layout/page.js';

/** A title in the text: the lines it is set in, and how deep it stands, from 1. */
export interface Heading {
  title: string;
  level: number;
  lines: Line[];
}
