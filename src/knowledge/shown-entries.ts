import type { PageEntry } from './entry.js';

/** Characters of text that are remembered: at least 300 pages that show fifty entries of a thousand characters each. */
const mostCharacters = 16_000_000;

/** The entries that pages have shown, until their texts become too many: then the oldest pages are forgotten. */
export class ShownEntries {
  readonly #pages = new Map<string, PageEntry[]>();
  #characters = 0;

  get(key: string): PageEntry[] | undefined {
    const entries = this.#pages.get(key);
    if (entries === undefined) return undefined;
    // Asked for again, it is the youngest again.
    this.#pages.delete(key);
    this.#pages.set(key, entries);
    return entries;
  }

  set(key: string, entries: PageEntry[]): void {
    this.#forget(key);
    this.#pages.set(key, entries);
    this.#characters += sizeOf(entries);
    for (const oldest of this.#pages.keys()) {
      if (this.#characters <= mostCharacters) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const entries = this.#pages.get(key);
    if (entries === undefined) return;
    this.#characters -= sizeOf(entries);
    this.#pages.delete(key);
  }
}

function sizeOf(entries: PageEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.title.length + entry.content.length, 100);
}
