import { createService, type Service } from './service.js';
import { readSettings } from './settings.js';
import { keepAccount, readAccount } from './vault.js';

/** The service that was set, for any part of the extension: all of them share the account and its lock. */
export function openService(): Service {
  return createService({
    fetch: (input, init) => fetch(input, init),
    server: async () => (await readSettings()).server,
    account: readAccount,
    keep: keepAccount,
    alone: async (work) => await navigator.locks.request('account', work),
  });
}
