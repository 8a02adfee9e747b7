import type { BrowserHost } from './browser-host.js';
import { toJson } from './plain-json.js';

/** Data that outlives a page: ids and tokens, but no text of a conversation. */
export interface Remembered {
  /** The owner: the subject of a user token, or empty for a visitor. */
  subject: string;
  visitorToken?: string | undefined;
  /** Set only for a person who signed in by the widget's own form. */
  userToken?: string | undefined;
  /** Empty when the person began a new conversation; undefined when nothing is known yet. */
  conversationId?: string | undefined;
  /** For a person who has signed in since: their visitor token from before, and its conversation. */
  earlierVisitor?: string | undefined;
  earlierConversation?: string | undefined;
}

export interface Memory {
  read(): Remembered | undefined;
  /** Undefined deletes everything. */
  write(remembered: Remembered | undefined): void;
  /** Calls back when another tab has written. Returns a function that ends this. */
  watch(changed: () => void): () => void;
}

/** The name of the storage entry for a widget key. */
export function memoryName(key: string): string {
  return `assistant:${key}`;
}

/**
 * The storage of one widget key on this site. When storage is blocked or full, data lasts only as long as the page.
 * Other scripts can write to the store, so only texts are read from it.
 */
export function openMemory(host: BrowserHost, key: string): Memory {
  const name = memoryName(key);
  let fallback: Remembered | undefined;
  let blocked = false;
  return {
    read() {
      if (blocked) return fallback;
      try {
        return parse(host.store().getItem(name));
      } catch {
        blocked = true;
        return fallback;
      }
    },
    write(remembered) {
      fallback = remembered;
      try {
        if (remembered) host.store().setItem(name, toJson(remembered));
        else host.store().removeItem(name);
      } catch {
        blocked = true;
      }
    },
    watch: (changed) => host.onStored(name, changed),
  };
}

function parse(text: string | null): Remembered | undefined {
  try {
    const found = JSON.parse(text ?? '') as Record<string, unknown> | null;
    if (typeof found?.['subject'] !== 'string') return undefined;
    const texts = Object.entries(found).filter(([, value]) => typeof value === 'string');
    return Object.fromEntries(texts) as unknown as Remembered;
  } catch {
    return undefined;
  }
}
