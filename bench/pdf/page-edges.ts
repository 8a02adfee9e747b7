/**
 * Running heads, feet, page numbers and contents, found in plain page texts alone and by other means than the
 * product's: what repeats, and what counts. A product that judged itself by its own rules would always be right.
 */

/** So many lines at either end of a page may be furniture. */
const depth = 3;

/** What two lines have in common when numbers, roman ones too, and white space don't count. */
export function edgeKey(line: string): string {
  return line
    .toLowerCase()
    .replace(/\d+|\b[ivxlc]+\b/g, '#')
    .replace(/\s+/g, '');
}

/** A page number and nothing else, also as "- 7 -" or "7 / 20". */
export function isPageNumber(line: string): boolean {
  return /^[\s\-–—[(]*(\d{1,4}|[ivxlc]{1,7})(\s*(\/|of|von|de)\s*\d{1,4})?[\s\-–—\])]*$/i.test(
    line,
  );
}

/** "Network settings . . . . 12", or a title and a number at the end of the line. */
function looksLikeContents(line: string): boolean {
  return /(\s?[.…·]){3,}\s*[\divxlc]+\s*$/i.test(line);
}

function linesOf(page: string): string[] {
  return page.split('\n').filter((line) => line.trim() !== '');
}

function edgesOf(lines: readonly string[]): string[] {
  return lines.filter((_, at) => at < depth || at >= lines.length - depth);
}

/**
 * Keys of the lines that stand at an end of many pages, on three at least and on a twentieth of all, and hardly
 * anywhere else: a "Note" above each note is no running head.
 */
export function repeatedEdges(pages: readonly string[]): Set<string> {
  const atEdges = new Map<string, number>();
  const anywhere = new Map<string, number>();
  for (const page of pages) {
    const lines = linesOf(page);
    for (const line of edgesOf(lines)) add(atEdges, edgeKey(line));
    for (const line of lines) add(anywhere, edgeKey(line));
  }
  const often = Math.max(3, pages.length / 20);
  const repeated = [...atEdges].filter(
    ([key, count]) => count >= often && count >= 0.8 * (anywhere.get(key) ?? 0),
  );
  return new Set(repeated.map(([key]) => key));
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The lines of each page that a reader of the text would want: without furniture and contents. */
export function bodyLines(pages: readonly string[]): string[][] {
  const repeated = repeatedEdges(pages);
  return pages.map((page) => {
    const lines = linesOf(page);
    const leaders = lines.filter(looksLikeContents).length;
    // What stands between leaders on such a page is contents as well: chapters, titles that take two lines.
    if (leaders >= 4 && leaders >= 0.4 * lines.length) return [];
    const edges = new Set(edgesOf(lines));
    return lines.filter(
      (line) =>
        !(edges.has(line) && (repeated.has(edgeKey(line)) || isPageNumber(line))) &&
        !looksLikeContents(line),
    );
  });
}
