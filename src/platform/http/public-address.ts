import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The IPv6 addresses that IANA gives out. Most forms that carry an IPv4 address are outside of it. */
const given = new BlockList();
given.addSubnet('2000::', 3, 'ipv6');

/**
 * What is not on the public internet (IANA's registries of special addresses). IPv4: this machine, private and
 * carriers' networks, link-local (cloud metadata stands there, and that of Azure's machines besides), documentation,
 * multicast. Of the IPv6 addresses given out: protocols and tunnels that carry an IPv4 address, documentation.
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

/** Whether an IP address is on the public internet, and not this machine's own. */
function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0 || (version === 6 && !given.check(address, 'ipv6'))) return false;
  if (blocked.check(address, version === 6 ? 'ipv6' : 'ipv4')) return false;
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return !own.some((one) => one.address === address);
}

/**
 * Whether a URL's host may be asked for at all: a name that is not this machine's, or a public address. Which addresses
 * a name has is checked by lookUpPublic when it is connected to.
 */
export function mayBePublic({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  return isIP(host) === 0 ? !/(^|\.)localhost$/.test(host) : isPublicAddress(host);
}

/** Looks a name up for a connection, which then goes to what was checked. Fails where any address is not public. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found?: LookupAddress[]) => {
    const addresses = found ?? [];
    const [first] = addresses;
    const isKnown =
      first !== undefined && addresses.every(({ address }) => isPublicAddress(address));
    if (error !== null && error.code !== 'ENOTFOUND') callback(error, '');
    else if (!isKnown) {
      // One sentence for both: else it would tell which names there are inside the network.
      callback(new Error(`${hostname} has no public address.`), '');
    } else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
