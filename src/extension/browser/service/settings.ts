import type { WidgetLanguage } from '../../../chat/api-types.js';

/** What the user has chosen. None of it is a secret. */
export interface Settings {
  /** The service's address, without a slash at its end. */
  server: string | undefined;
  language: WidgetLanguage | 'auto';
  /** Whether the site that the service is on is recognised as well: the access to it is given for the service alone. */
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

/** Calls back after the settings or the account changed, in whichever part of the extension. */
export function onStored(changed: () => void): void {
  chrome.storage.onChanged.addListener((changes) => {
    if (key in changes || 'account' in changes) changed();
  });
}
