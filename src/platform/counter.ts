/** Counts events by a few labels with few values each, for an operator's graphs. */
export interface Counter<Labels extends Record<string, string>> {
  add(labels: Labels): void;
  counts(): { labels: Labels; count: number }[];
}

export function createCounter<Labels extends Record<string, string>>(): Counter<Labels> {
  const counts = new Map<string, { labels: Labels; count: number }>();
  return {
    add(labels) {
      const key = Object.values(labels).join(' ');
      const present = counts.get(key);
      if (present === undefined) counts.set(key, { labels, count: 1 });
      else present.count += 1;
    },
    counts: () => [...counts.values()],
  };
}
