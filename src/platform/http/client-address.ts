import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Context } from 'koa';

/**
 * The address that a request comes from. Behind proxies that server.trust_proxy names it is the one that the
 * outermost of them saw; else the connection's own, whatever the request claims.
 */
export function clientAddress(ctx: Context): string {
  const claimed = plain(ctx.ip);
  return isIP(claimed) === 0 ? plain(ctx.req.socket.remoteAddress ?? '') : claimed;
}

/**
 * What stands for an address where requests and sign-ins are counted: the address, of IPv6 its network of 64 bits, since
 * a single household has all of its addresses to choose from. The places of earlier sign-ins are stored by it.
 */
export function addressKey(written: string): string {
  const address = plain(written);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const start = head === '' ? [] : head.split(':');
  const end = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - start.length - end.length).fill('0');
  const groups = [...start, ...zeros, ...end].slice(0, 4);
  return groups.map((group) => group.padStart(4, '0')).join(':');
}

/** Whether a request was made on this very machine, and not handed on by a proxy that runs here. */
export function isLocal(ctx: Context): boolean {
  const address = plain(ctx.req.socket.remoteAddress ?? '');
  const handedOn = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some(
    (header) => header in ctx.req.headers,
  );
  return !handedOn && (address === '::1' || (isIPv4(address) && address.startsWith('127.')));
}

/** Without what some proxies and dual-stack sockets add: a port, brackets, the prefix of a mapped address. */
function plain(address: string): string {
  const bare = address
    .trim()
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1');
}
