import type { OutlineEntry } from '../syntax/outline.js';
import { heightOf } from '../syntax/bookmarks.js';
import type { PDFDocumentProxy } from './open-document.js';

type OutlineItems = NonNullable<Awaited<ReturnType<PDFDocumentProxy['getOutline']>>>;

/** A manual has some hundred bookmarks; far more are a damaged or hostile file. */
const maxEntries = 20_000;

function kindOf(target: unknown[]): string {
  const kind: unknown = target[1];
  const isNamed = typeof kind === 'object' && kind !== null && 'name' in kind;
  return isNamed && typeof kind.name === 'string' ? kind.name : '';
}

async function pageIndexOf(
  document: PDFDocumentProxy,
  ref: unknown,
  known: Map<string, number>,
): Promise<number | undefined> {
  if (typeof ref === 'number') return ref;
  if (typeof ref !== 'object' || ref === null || !('num' in ref) || !('gen' in ref))
    return undefined;
  const { num, gen } = ref;
  if (typeof num !== 'number' || typeof gen !== 'number') return undefined;
  const key = `${num} ${gen}`;
  const index = known.get(key) ?? (await document.getPageIndex({ num, gen }));
  known.set(key, index);
  return index;
}

/** The bookmarks that lead to a page of this document, in order. Broken ones are left out: titles alone place nothing. */
export async function readOutline(document: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const known = new Map<string, number>();
  const destinations: Record<string, unknown> = await document.getDestinations().catch(() => ({}));
  const visit = async (items: OutlineItems, level: number): Promise<void> => {
    for (const item of items) {
      if (entries.length >= maxEntries || level > 32) return;
      const dest: unknown = typeof item.dest === 'string' ? destinations[item.dest] : item.dest;
      if (Array.isArray(dest)) {
        const target: unknown[] = dest;
        const index = await pageIndexOf(document, target[0], known).catch(() => undefined);
        const height = heightOf(kindOf(target), target);
        if (index !== undefined && index >= 0 && index < document.numPages) {
          const page = await document.getPage(index + 1);
          const top = page.view[3] ?? 0;
          entries.push({
            title: item.title,
            level,
            page: index + 1,
            y: height === undefined || page.rotate !== 0 ? undefined : top - height,
          });
        }
      }
      await visit(item.items as OutlineItems, level + 1);
    }
  };
  await visit((await document.getOutline().catch(() => null)) ?? [], 1);
  return entries;
}
