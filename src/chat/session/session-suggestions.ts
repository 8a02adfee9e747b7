import type { FrameContext } from '../protocol.js';
import type { ServiceRequests } from '../connection/service-requests.js';
import type { SessionStore } from './session-state.js';

/** The suggestions in an empty conversation: the page's own, else those of the service for the page. */
export interface Suggestions {
  /** The page's suggestions; undefined when the service provides them. */
  given: () => string[] | undefined;
  /** Asks the service, if the page gives no suggestions. */
  suggest(): Promise<void>;
  update(given: string[] | undefined): void;
}

export function createSuggestions(
  store: SessionStore,
  requests: ServiceRequests,
  readPage: () => FrameContext,
  /** True when something is already shown. */
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
      // The panel works without suggestions.
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
