import type { RenewMessage, RenewReply } from '../messages.js';
import { createService, ServiceError, type Service, type ServiceParts } from './service.js';
import { readSettings } from './settings.js';
import { keepAccount, readAccount } from './vault.js';

const parts: ServiceParts = {
  fetch: (input, init) => fetch(input, init),
  server: async () => (await readSettings()).server,
  account: readAccount,
  keep: keepAccount,
  alone: async (what, work) => await navigator.locks.request(what, work),
};

/** The configured service, for the worker. All parts of the extension share the account and its locks. */
export function openService(): Service {
  return createService(parts);
}

/**
 * The same for a page of the extension. The worker renews its session: if a page closed during the renewal, the new
 * session would be lost and the old one invalid.
 */
export function openServiceOfPage(): Service {
  return createService({
    ...parts,
    async renew(used) {
      const reply = await chrome.runtime
        .sendMessage<RenewMessage, RenewReply>({ type: 'renew', used })
        .catch((): RenewReply => ({ refused: 'offline' }));
      if (reply.refused !== undefined) throw new ServiceError(reply.refused);
    },
  });
}
