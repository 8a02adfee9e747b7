import {
  createService,
  type Account,
  type Service,
} from '../../../src/extension/browser/service/service.js';

/** The extension's way to the service without a browser: one store, one lock, and as many parts as are wanted. */
export function openNodeService(url: string) {
  let server: string | undefined = url;
  let account: Account | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const asked: string[] = [];
  const parts = {
    fetch: ((input: string, init?: RequestInit) => {
      asked.push(`${init?.method ?? 'GET'} ${new URL(input).pathname}`);
      return fetch(input, init);
    }) as typeof fetch,
    server: () => Promise.resolve(server),
    account: () => Promise.resolve(account),
    keep(next: Account | undefined) {
      account = next;
      return Promise.resolve();
    },
    alone<T>(work: () => Promise<T>): Promise<T> {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
  return {
    asked,
    /** Of one part of the extension: the worker, the panel, the options. */
    part: (): Service => createService(parts),
    get account() {
      return account;
    },
    spoil(token: string) {
      if (account !== undefined) account = { ...account, token };
    },
    move(to: string | undefined) {
      server = to;
    },
  };
}
