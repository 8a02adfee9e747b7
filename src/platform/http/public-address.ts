import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The IPv6 range that IANA assigns. It excludes most forms that contain an IPv4 address. */
const given = new BlockList();
given.addSubnet('2000::', 3, 'ipv6');

/**
 * Addresses that are not on the public internet (IANA's registries of special addresses). IPv4: this machine, private
 * and carriers' networks, link-local (including cloud metadata), Azure's machine address, documentation, multicast.
 * IPv6 within the assigned range: protocols and tunnels that contain an IPv4 address, documentation.
 */
const special = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];

const blocked = new BlockList();
for (const range of special) {
  const [net = '', prefix] = range.split('/');
  blocked.addSubnet(net, Number(prefix), isIP(net) === 6 ? 'ipv6' : 'ipv4');
}

function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0 || (version === 6 && !given.check(address, 'ipv6'))) return false;
  if (blocked.check(address, version === 6 ? 'ipv6' : 'ipv4')) return false;
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return !own.some((one) => one.address === address);
}

/**
 * True when the server may call a URL's host: a public address, or a name that is not this machine's. lookUpPublic
 * checks the name's addresses when the connection is made.
 */
export function mayBePublic({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  return isIP(host) === 0 ? !/(^|\.)localhost$/.test(host) : isPublicAddress(host);
}

/** Looks up a name for a connection, which uses exactly the checked addresses. Fails if any is not public. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found?: LookupAddress[]) => {
    const addresses = found ?? [];
    const [first] = addresses;
    const isKnown =
      first !== undefined && addresses.every(({ address }) => isPublicAddress(address));
    if (error !== null && error.code !== 'ENOTFOUND') callback(error, '');
    else if (!isKnown) {
      // The same sentence for both: a different one would reveal names inside the network.
      callback(new Error(`${hostname} has no public address.`), '');
    } else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
