import type { Account } from './service.js';

const key = 'account';

/**
 * Where credentials are kept: out of reach of content scripts, which share a process with the page. Where a browser
 * can't promise that of what outlives it, they are kept in memory until it is closed.
 */
let area: Promise<chrome.storage.StorageArea> | undefined;

function trusted(): Promise<chrome.storage.StorageArea> {
  return (area ??= protect());
}

async function protect(): Promise<chrome.storage.StorageArea> {
  const accessLevel = chrome.storage.AccessLevel.TRUSTED_CONTEXTS;
  const { local, session } = chrome.storage;
  await session.setAccessLevel({ accessLevel });
  return local.setAccessLevel({ accessLevel }).then(
    () => local,
    () => session,
  );
}

export async function readAccount(): Promise<Account | undefined> {
  const stored = await (await trusted()).get(key);
  return stored[key] as Account | undefined;
}

/** With undefined, nothing of the account is left: neither its tokens nor what was talked about. */
export async function keepAccount(account: Account | undefined): Promise<void> {
  const place = await trusted();
  if (account !== undefined) {
    await place.set({ [key]: account });
    return;
  }
  await Promise.all([place.remove(key), chrome.storage.session.clear()]);
}

/** Kept until the browser is closed or the user signs out. */
export async function remember(name: string, value: unknown): Promise<void> {
  await trusted();
  await chrome.storage.session.set({ [name]: value });
}

export async function recall(name: string): Promise<unknown> {
  await trusted();
  return (await chrome.storage.session.get(name))[name];
}
