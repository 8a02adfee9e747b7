import type { BrowserHost } from './browser-host.js';
import { toJson } from './plain-json.js';

/** What outlives a page: ids and tokens, never a word of a conversation. */
export interface Remembered {
  /** Whose it is: the subject of a user token, or empty for a visitor. */
  subject: string;
  visitorToken?: string | undefined;
  /** Only of somebody who signed in by the widget's own form. */
  userToken?: string | undefined;
  /** Empty where a new one was begun on purpose; undefined where nothing is known yet. */
  conversationId?: string | undefined;
  /** Of somebody who has signed in since: as whom they asked last before, and where. */
  earlierVisitor?: string | undefined;
  earlierConversation?: string | undefined;
}

export interface Memory {
  read(): Remembered | undefined;
  /** Undefined forgets all. */
  write(remembered: Remembered | undefined): void;
  /** Calls back when another tab has written; returns what ends it. */
  watch(changed: () => void): () => void;
}

/** Under which name things of one widget key are remembered. */
export function memoryName(key: string): string {
  return `assistant:${key}`;
}

/**
 * The memory of one widget key on this site. Where storage is blocked or full, it lasts as long as the page. What
 * others have put into the store is not believed: only texts are taken of it.
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
