import { entryReader } from '../../knowledge/check-quotes.js';
import { showLinks, type LinkedText } from '../../knowledge/show-links.js';
import { requirePermission, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';

/** Stands for the backoffice in the address of an entry, because Markdown links lead only to whole addresses. */
const host = 'https://entry.invalid/';

/** Texts whose links to other documents of their source lead to the pages of the entries made of those. */
export async function withEntryLinks<T extends LinkedText>(
  app: App,
  actor: Actor,
  texts: readonly T[],
): Promise<T[]> {
  const reader = entryReader(requirePermission(actor, 'knowledge.read'));
  return showLinks(app, reader, texts, ({ uuid }) => host + uuid);
}

/** The path below the backoffice that such a link leads to; undefined for any other address. */
export function entryPathOf(href: string): string | undefined {
  const uuid = href.startsWith(host) ? href.slice(host.length) : '';
  return /^[\da-f-]{36}$/.test(uuid) ? `/knowledge/${uuid}` : undefined;
}
