import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Context } from 'koa';

/**
 * The client's address. Behind proxies of server.trust_proxy, it is the address that the outermost trusted proxy saw.
 * Otherwise it is the connection's address, whatever the request claims.
 */
export function clientAddress(ctx: Context): string {
  const claimed = plain(ctx.ip);
  return isIP(claimed) === 0 ? plain(ctx.req.socket.remoteAddress ?? '') : claimed;
}

/**
 * The key under which requests and sign-ins of an address are counted. For IPv6 it is the network of 64 bits, because
 * one household controls all addresses of its network. Stored sign-in places depend on it.
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

/** The header Host of a request to this machine. A page of another site can lead a name of its own to this machine. */
const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** True when the request came from this machine, under a name that means it, and no local proxy forwarded it. */
export function isLocal(ctx: Context): boolean {
  const address = plain(ctx.req.socket.remoteAddress ?? '');
  const handedOn = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some(
    (header) => header in ctx.req.headers,
  );
  const isMeant = localHost.test(ctx.req.headers.host ?? '');
  return (
    isMeant && !handedOn && (address === '::1' || (isIPv4(address) && address.startsWith('127.')))
  );
}

/** Removes what some proxies and dual-stack sockets add: a port, brackets, the prefix of a mapped address. */
function plain(address: string): string {
  const bare = address
    .trim()
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1');
}
