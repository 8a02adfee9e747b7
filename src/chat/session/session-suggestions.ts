import type { FrameContext } from '../protocol.js';
import type { ServiceRequests } from '../connection/service-requests.js';
import type { SessionStore } from './session-state.js';

/** The first questions that an empty conversation offers: the page's own, else what the service finds for the page. */
export interface Suggestions {
  /** What the page gives; undefined where it leaves that to the service. */
  given: () => string[] | undefined;
  /** Asks the service, where the page says nothing. */
  suggest(): Promise<void>;
  update(given: string[] | undefined): void;
}

export function createSuggestions(
  store: SessionStore,
  requests: ServiceRequests,
  readPage: () => FrameContext,
  /** Whether anything is shown yet. */
  isAwake: () => boolean,
): Suggestions {
  let given: string[] | undefined;

  async function suggest(): Promise<void> {
    if (!isAwake() || given || store.state.messages[0]) return;
    try {
      const { url, language } = readPage();
      const query = new URLSearchParams({ url, ...(language && { language }) });
      const path = `/page?${String(query)}`;
      const { suggestions } = await requests.json<{ suggestions: string[] }>('GET', path);
      if (language === readPage().language) store.set({ suggestions });
    } catch {
      // The panel does without.
    }
  }

  return {
    suggest,
    given: () => given,
    update(next) {
      const before = given;
      given = next;
      if (next) store.set({ suggestions: next });
      else if (before) void suggest();
    },
  };
}
