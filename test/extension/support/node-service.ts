import {
  createService,
  ServiceError,
  type Account,
  type Service,
  type ServiceParts,
} from '../../../src/extension/browser/service/service.js';

/** The extension's connection to the service without a browser: one store, its locks, and any number of parts. */
export function openNodeService(url: string) {
  let server: string | undefined = url;
  let account: Account | undefined;
  let hold: { answered(): void; released: Promise<void> } | undefined;
  const locks = new Map<string, Promise<unknown>>();
  const asked: string[] = [];
  const parts = {
    async fetch(input: string, init?: RequestInit) {
      const { pathname } = new URL(input);
      asked.push(`${init?.method ?? 'GET'} ${pathname}`);
      const response = await fetch(input, init);
      if (pathname !== '/api/auth/refresh' || hold === undefined) return response;
      hold.answered();
      await Promise.race([hold.released, aborted(init?.signal)]);
      return response;
    },
    server: () => Promise.resolve(server),
    account: () => Promise.resolve(account),
    keep(next: Account | undefined) {
      account = next;
      return Promise.resolve();
    },
    alone<T>(what: string, work: () => Promise<T>): Promise<T> {
      const mine = (locks.get(what) ?? Promise.resolve()).then(work);
      locks.set(
        what,
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
  const part = (more: Partial<ServiceParts> = {}): Service =>
    createService({ ...(parts as unknown as ServiceParts), ...more });
  return {
    asked,
    /** The service for one part of the extension, such as the worker, the panel or the options. */
    part,
    /** The service for a page that can be closed, which loses its own requests. The worker renews the session. */
    page() {
      const closed = new AbortController();
      const worker = part();
      const lost = async (input: string, init?: RequestInit) => {
        const signals = [closed.signal, ...(init?.signal ? [init.signal] : [])];
        const response = await parts.fetch(input, { ...init, signal: AbortSignal.any(signals) });
        if (closed.signal.aborted) throw new ServiceError('offline');
        return response;
      };
      return {
        service: part({ fetch: lost as typeof fetch, renew: (used) => worker.renew(used) }),
        close: () => closed.abort(),
      };
    },
    get account() {
      return account;
    },
    spoil(token: string) {
      if (account !== undefined) account = { ...account, token };
    },
    /** Holds the service's answers to renewals back. `answered` resolves at the first of them. */
    holdRenewals(): { answered: Promise<void>; release(): void } {
      let answer = (): void => undefined;
      let release = (): void => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      const released = new Promise<void>((resolve) => (release = resolve));
      hold = { answered: () => answer(), released };
      return { answered, release: () => release() };
    },
    move(to: string | undefined) {
      server = to;
    },
  };
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
}
