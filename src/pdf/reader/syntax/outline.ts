/** A bookmark: where it leads, from 1, and how deep it stands, from 1. */
export interface OutlineEntry {
  title: string;
  level: number;
  page: number;
  /** Distance from the page's top in points, when the bookmark says so. */
  y: number | undefined;
}
