import type { PanelParts } from './panel-parts.js';

/** Dispatched on the element of the second script, with the parts as its detail: nobody else hears of them. */
export const partsEvent = 'assistant:panel';

/** The second script's address, from the first one's, and what its bytes are; both are known once it is built. */
export interface PanelScript {
  path: string;
  integrity: string;
}

interface ScriptPolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string };
}

/**
 * Loads the second script the way the first one was loaded: with its nonce, and, where its tag says what its bytes must
 * be, held to what the build says the second's are: whoever pins one has pinned both. Rejects where it can't be loaded.
 */
export function loadPanelScript(
  tag: HTMLScriptElement | undefined,
  { path, integrity }: PanelScript,
): Promise<PanelParts> {
  const url = new URL(path, tag?.src).href;
  const script = document.createElement('script');
  if (tag?.nonce) script.nonce = tag.nonce;
  if (tag?.integrity) {
    script.integrity = integrity;
    script.crossOrigin = 'anonymous';
  }
  return new Promise<PanelParts>((resolve, reject) => {
    script.addEventListener(partsEvent, (event) =>
      resolve((event as CustomEvent<PanelParts>).detail),
    );
    script.onerror = () => reject(new Error(`${url} could not be loaded.`));
    script.src = trusted(url);
    document.head.append(script);
  }).finally(() => script.remove());
}

let makeTrusted: ((url: string) => string) | undefined;

/**
 * Where a page asks for Trusted Types, an address of a script has to be vouched for by a policy. Where a page lists the
 * policies that it allows and this is none of them, one that it has called `default` may vouch for it.
 */
function trusted(url: string): string {
  const { trustedTypes } = window as { trustedTypes?: ScriptPolicies };
  if (trustedTypes && !makeTrusted) {
    try {
      const policy = trustedTypes.createPolicy('assistant', { createScriptURL: (one) => one });
      makeTrusted = (one) => policy.createScriptURL(one);
    } catch {
      console.warn('Assistant: add “assistant” to “trusted-types” in the page’s policy.');
    }
  }
  return makeTrusted?.(url) ?? url;
}
