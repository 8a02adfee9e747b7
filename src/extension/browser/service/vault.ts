import type { Account } from './service.js';

const key = 'account';

/**
 * The storage of credentials, inaccessible to content scripts, which share a process with the page. If a browser can't
 * guarantee that for permanent storage, credentials are kept in memory until it closes.
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

/** Undefined deletes all data of the account: tokens and conversation. */
export async function keepAccount(account: Account | undefined): Promise<void> {
  const place = await trusted();
  if (account !== undefined) {
    await place.set({ [key]: account });
    return;
  }
  await Promise.all([place.remove(key), chrome.storage.session.clear()]);
}

/** Stored until the browser closes or the user signs out. */
export async function remember(name: string, value: unknown): Promise<void> {
  await trusted();
  await chrome.storage.session.set({ [name]: value });
}

export async function recall(name: string): Promise<unknown> {
  await trusted();
  return (await chrome.storage.session.get(name))[name];
}
