import type { WidgetLanguage } from '../../../chat/api-types.js';

/** The user's settings; none is secret. */
export interface Settings {
  /** The service's address, without a final slash. */
  server: string | undefined;
  language: WidgetLanguage | 'auto';
  /** True when the service's own site is recognized too. Its permission is otherwise only for the service. */
  recognisesServer: boolean;
}

const key = 'settings';

export async function readSettings(): Promise<Settings> {
  const stored = (await chrome.storage.local.get(key))[key] as Partial<Settings> | undefined;
  const { server, language = 'auto', recognisesServer = false } = stored ?? {};
  return { server, language, recognisesServer };
}

export async function changeSettings(patch: Partial<Settings>): Promise<void> {
  await chrome.storage.local.set({ [key]: { ...(await readSettings()), ...patch } });
}

/** Calls back after the settings or the account changed in any part of the extension. */
export function onStored(changed: () => void): void {
  chrome.storage.onChanged.addListener((changes) => {
    if (key in changes || 'account' in changes) changed();
  });
}
