/**
 * Whether a text is an IPv6 address (RFC 4291), an IPv4 address in its last two groups included, a zone (`%eth0`) not.
 * Of our own, since the rules of personal data also run in browsers.
 */
export function isIpv6(address: string): boolean {
  const plain = address.replace(
    /(?<=:)(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/,
    '0:0',
  );
  const sides = plain.split('::');
  const groups = sides.flatMap((side) => (side === '' ? [] : side.split(':')));
  // A double colon stands for one group at least.
  const complete = sides.length === 1 ? groups.length === 8 : groups.length < 8;
  return sides.length < 3 && complete && groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group));
}
