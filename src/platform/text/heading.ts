/** The heading in an entry's title, without the chapters above it and the number of its part: "Operation › Updating (2)". */
export function headingOf(title: string): string {
  return title.replace(/^.* › | \(\d+\)$/g, '');
}
