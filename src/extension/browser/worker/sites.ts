import { serverAddressOf } from '../service/server-address.js';
import { changeSettings, readSettings, type Settings } from '../service/settings.js';

const id = 'pages';

/** The sites that are recognised, as the browser writes them; that of the service only where the user said so. */
export async function grantedSites(): Promise<string[]> {
  const [{ origins = [] }, settings] = await Promise.all([
    chrome.permissions.getAll(),
    readSettings(),
  ]);
  const service = settings.recognisesServer ? undefined : serviceSite(settings);
  return origins.filter((pattern) => pattern !== service).sort();
}

/**
 * Whether nobody can take a site back: it stands in the manifest, where an organization puts it before it signs and
 * installs the extension for its people.
 */
export function isFixed(pattern: string): boolean {
  const manifest = chrome.runtime.getManifest() as { host_permissions?: string[] };
  return manifest.host_permissions?.includes(pattern) === true;
}

/** Whether the extension looks at a site by itself. */
export async function isRecognised(pattern: string): Promise<boolean> {
  const settings = await readSettings();
  if (pattern === serviceSite(settings)) return settings.recognisesServer;
  return chrome.permissions.contains({ origins: [pattern] });
}

/** From now on a site is recognised, if the browser's question is answered so. Only while a click is being handled. */
export async function recognise(pattern: string, settings: Settings): Promise<void> {
  // Nothing is awaited before: the browser takes it as the user's own wish only then.
  if (pattern === serviceSite(settings)) await changeSettings({ recognisesServer: true });
  else await chrome.permissions.request({ origins: [pattern] });
}

/** A site is not recognised any more. The service can still be reached, whatever site it is on. */
export async function forgetSite(pattern: string): Promise<void> {
  if (pattern === serviceSite(await readSettings())) {
    await changeSettings({ recognisesServer: false });
  } else await chrome.permissions.remove({ origins: [pattern] });
}

function serviceSite({ server }: Settings): string | undefined {
  return server === undefined ? undefined : serverAddressOf(server)?.pattern;
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
