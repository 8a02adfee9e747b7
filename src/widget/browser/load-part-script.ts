import type { PartName } from '../../chat/parts/part-names.js';
import { shared } from './shared.js';

/** The SHA-256 of each built part, in base64. */
export type PartHashes = Record<PartName, string>;

/**
 * A part's script passes this function to `take` of its own element, so that nothing else receives it. The function
 * gets the modules shared with the first script and delivers the part. The build adds this wrapping.
 */
type RunPart = (deliver: (part: { shared?: object }) => void, from: typeof shared) => void;

interface ScriptPolicies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string };
}

/** Addresses that are being loaded. */
const underWay = new Set<string>();

/**
 * Loads a part like the first script: from the same address and with its nonce. If the first script's tag has an
 * integrity hash, the part must match the hash from the build: a page that pins one script pins all. Rejects when the
 * script can't be loaded or is not a part.
 */
export function loadPartScript(
  tag: HTMLScriptElement | undefined,
  name: PartName,
  hashes: PartHashes,
): Promise<unknown> {
  const hash = hashes[name];
  // The hash in the address bypasses caches of an earlier version.
  const path = `${name}.js?v=${hash.replace(/\W/g, '').slice(0, 12)}`;
  let url = new URL(path, tag?.src).href;
  // A second request to the same address would only wait for one that hangs.
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
        // Modules that later parts take from this one.
        Object.assign(shared, part.shared);
        resolve(part);
      }, shared);
    Object.assign(script, { take });
    // After a delivered part, this rejection has no effect.
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
 * A page that requires Trusted Types needs a policy for a script's address. If the page's list of policies does not
 * include ours, its `default` policy may allow the address.
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
