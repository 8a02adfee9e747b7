import { createAssistant } from './lifecycle.js';
import { readAttributes } from './options.js';

/*
 * The script that pages include: this runs when it is loaded. Included twice, the first one stays; the second only
 * starts it, where its tag has a key and the first one's had none.
 */

const tag = document.currentScript;
const src = tag instanceof HTMLScriptElement ? tag.src : '';
const present = window.Assistant;
const isPresent = typeof present?.initAssistant === 'function';
const assistant = isPresent
  ? present
  : createAssistant(src === '' ? undefined : new URL(src).origin);
const config = readAttributes((name) => tag?.getAttribute(name) ?? null);

if (!isPresent) {
  const { initAssistant, destroyAssistant, updateAssistant } = assistant;
  Object.assign(window, { Assistant: assistant, initAssistant, destroyAssistant, updateAssistant });
}
if (config.apiKey !== undefined || config.userToken !== undefined) assistant.initAssistant(config);
if (!isPresent) window.dispatchEvent(new Event('assistant:ready'));
