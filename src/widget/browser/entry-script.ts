import { createAssistant } from './lifecycle.js';
import { loadPartScript, type PartHashes } from './load-part-script.js';
import { readAttributes } from '../../chat/options.js';

/*
 * The script that pages include: this runs when it is loaded. Included twice, the first one stays; the second only
 * starts it, where its tag has a key and the first one's had none.
 */

/** Put in by the build. */
declare const PART_HASHES: PartHashes;

const current = document.currentScript;
const tag = current instanceof HTMLScriptElement ? current : undefined;
const src = tag?.src ?? '';
const present = window.Assistant;
const isPresent = typeof present?.initAssistant === 'function';
const assistant = isPresent
  ? present
  : createAssistant(serviceOf(src), (name) => loadPartScript(tag, name, PART_HASHES));
const config = readAttributes((name) => tag?.getAttribute(name) ?? null);

if (!isPresent) {
  const { initAssistant, destroyAssistant, updateAssistant } = assistant;
  Object.assign(window, { Assistant: assistant, initAssistant, destroyAssistant, updateAssistant });
}
if (config.apiKey !== undefined || config.userToken !== undefined) assistant.initAssistant(config);
if (!isPresent) window.dispatchEvent(new Event('assistant:ready'));

/** The service that the script came from, which may be below a path of its server. */
function serviceOf(address: string): string | undefined {
  if (address === '') return undefined;
  const { origin, pathname } = new URL(address);
  const [path] = /^.*(?=\/widget\/v1\/)/.exec(pathname) ?? [];
  return origin + (path ?? '');
}
