import { createAssistant } from './lifecycle.js';
import { loadPartScript, type PartHashes } from './load-part-script.js';
import { readAttributes } from '../../chat/options.js';

/*
 * The script that pages include; this runs when it is loaded. If it is included twice, the first one stays. The second
 * one only starts it, if its tag has a key and the first tag has none.
 */

/** Inserted by the build. */
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

/** The service from which the script was loaded, including a path prefix. */
function serviceOf(address: string): string | undefined {
  if (address === '') return undefined;
  const { origin, pathname } = new URL(address);
  const [path] = /^.*(?=\/widget\/v1\/)/.exec(pathname) ?? [];
  return origin + (path ?? '');
}
