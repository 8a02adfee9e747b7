import { serverAddressOf } from '../service/server-address.js';
import { readSettings } from '../service/settings.js';

const id = 'pages';

/** The sites that the user has given access to, as the browser writes them; the service itself is none of them. */
export async function grantedSites(): Promise<string[]> {
  const [{ origins = [] }, { server }] = await Promise.all([
    chrome.permissions.getAll(),
    readSettings(),
  ]);
  const service = server === undefined ? undefined : serverAddressOf(server)?.pattern;
  return origins.filter((pattern) => pattern !== service).sort();
}

/** On these the content script looks by itself; on all others it waits for a click on the extension's button. */
export async function registerSites(): Promise<void> {
  await navigator.locks.request('sites', async () => {
    const matches = await grantedSites();
    const registered = await chrome.scripting.getRegisteredContentScripts({ ids: [id] });
    const before = registered[0]?.matches ?? [];
    if (before.toSorted().join() === matches.join()) return;
    if (registered.length > 0) await chrome.scripting.unregisterContentScripts({ ids: [id] });
    if (matches.length === 0) return;
    await chrome.scripting.registerContentScripts([
      { id, matches, js: ['content.js'], runAt: 'document_idle', allFrames: false },
    ]);
  });
}
