import type { PartName } from '../../chat/parts/part-names.js';
import { shared } from './shared.js';

/** SHA-256 of each part as it was built, in base64. */
export type PartHashes = Record<PartName, string>;

/**
 * What a part's script gives to the function `take` of its own element, so that nobody else hears of it: called with
 * what it shares with the first script, it delivers itself. The build wraps it so.
 */
type RunPart = (deliver: (part: { shared?: object }) => void, from: typeof shared) => void;

interface ScriptPolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string };
}

/** Addresses that nothing has come from yet. */
const underWay = new Set<string>();

/**
 * Loads a part the way the first script was loaded: from beside it, with its nonce, and, where its tag says what its
 * bytes must be, held to what the build says the part's are: whoever pins one has pinned all. Rejects where it can't be
 * loaded, and where what came is no part.
 */
export function loadPartScript(
  tag: HTMLScriptElement | undefined,
  name: PartName,
  hashes: PartHashes,
): Promise<unknown> {
  const hash = hashes[name];
  // The bytes that are meant get past the caches of a former version.
  const path = `${name}.js?v=${hash.replace(/\W/g, '').slice(0, 12)}`;
  let url = new URL(path, tag?.src).href;
  // Asked for once more, what hangs would only be waited for by a second one.
  while (underWay.has(url)) url += '_';
  underWay.add(url);
  const script = document.createElement('script');
  if (tag?.nonce) script.nonce = tag.nonce;
  if (tag?.integrity) {
    script.integrity = `sha256-${hash}`;
    script.crossOrigin = 'anonymous';
  }
  return new Promise((resolve, reject) => {
    const take = (run: RunPart): void =>
      run((part) => {
        // What later parts take from this one.
        Object.assign(shared, part.shared);
        resolve(part);
      }, shared);
    Object.assign(script, { take });
    // After it has run, and delivered: then this says nothing any more.
    script.onload = script.onerror = () => reject(new Error(`${url} could not be loaded.`));
    script.src = trusted(url);
    document.head.append(script);
  }).finally(() => {
    underWay.delete(url);
    script.remove();
  });
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
      console.warn('Assistant: “trusted-types” must allow “assistant”.');
    }
  }
  return makeTrusted?.(url) ?? url;
}
