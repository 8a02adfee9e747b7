/** Letters and digits alone: spaces, quotes and hyphens differ between a title and its heading. */
function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** What may stand before a heading's words: "3.2", "Chapter 4.", "A.1", "第 3 章". */
const label =
  /^\s*((\p{L}{3,}\s+)?(\d+|[A-Z]|[IVXLC]+)([.\-]\d+)*[.):]?\s+|第\s*\S{1,3}\s*[章节節部]\s*)/u;

/** A heading takes three lines at most. */
const mostLines = 3;

function keysOf(heading: string): string[] {
  const whole = keyOf(heading);
  const bare = keyOf(heading.replace(label, ''));
  return whole === bare ? [whole] : [whole, bare];
}

/** Looks titles up among the lines of pages, and among the bookmarks whose words stand on a page. */
export class Headings {
  readonly #lines: Set<string>[];
  readonly #pages: string[];
  readonly #bookmarks: Set<string>;

  constructor(pages: readonly string[], bookmarks: readonly string[]) {
    this.#lines = pages.map((page) => {
      const lines = page.split('\n').filter((line) => line.trim() !== '');
      return new Set(
        lines.flatMap((_, at) =>
          Array.from({ length: mostLines }, (_none, more) =>
            keysOf(lines.slice(at, at + more + 1).join(' ')),
          ).flat(),
        ),
      );
    });
    this.#pages = pages.map(keyOf);
    this.#bookmarks = new Set(bookmarks.flatMap(keysOf));
  }

  /** Whether the title is a line of its own on one of the pages (from 1), or a bookmark that stands there in the text. */
  holds(title: string, pageFrom: number, pageTo: number): boolean {
    const key = keyOf(title);
    for (let page = pageFrom; page <= pageTo; page++) {
      if (this.#lines[page - 1]?.has(key) === true) return true;
      if (this.#bookmarks.has(key) && this.#pages[page - 1]?.includes(key) === true) return true;
    }
    return false;
  }
}
