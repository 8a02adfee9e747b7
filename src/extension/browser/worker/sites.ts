import { serverAddressOf } from '../service/server-address.js';
import { changeSettings, readSettings, type Settings } from '../service/settings.js';

const id = 'pages';

/** The recognized sites as match patterns. The service's own site is included only if the user chose it. */
export async function grantedSites(): Promise<string[]> {
  const [{ origins = [] }, settings] = await Promise.all([
    chrome.permissions.getAll(),
    readSettings(),
  ]);
  const service = settings.recognisesServer ? undefined : serviceSite(settings);
  return origins.filter((pattern) => pattern !== service).sort();
}

/** True when a site can't be removed: an organization has added it to the manifest before signing. */
export function isFixed(pattern: string): boolean {
  const manifest = chrome.runtime.getManifest() as { host_permissions?: string[] };
  return manifest.host_permissions?.includes(pattern) === true;
}

/** True when the extension reads a site without a click. */
export async function isRecognised(pattern: string): Promise<boolean> {
  const settings = await readSettings();
  if (pattern === serviceSite(settings)) return settings.recognisesServer;
  return chrome.permissions.contains({ origins: [pattern] });
}

/** Recognizes a site from now on, if the user grants the permission. Call it only while handling a click. */
export async function recognise(pattern: string, settings: Settings): Promise<void> {
  // Await nothing before this: the browser then no longer accepts it as the user's wish.
  if (pattern === serviceSite(settings)) await changeSettings({ recognisesServer: true });
  else await chrome.permissions.request({ origins: [pattern] });
}

/** Stops recognizing a site. The service stays reachable, even on that site. */
export async function forgetSite(pattern: string): Promise<void> {
  if (pattern === serviceSite(await readSettings())) {
    await changeSettings({ recognisesServer: false });
  } else await chrome.permissions.remove({ origins: [pattern] });
}

function serviceSite({ server }: Settings): string | undefined {
  return server === undefined ? undefined : serverAddressOf(server)?.pattern;
}

/** Runs the content script on these sites. On all others it waits for a click on the extension's button. */
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
