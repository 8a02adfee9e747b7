/** Names of parameters whose values open something. */
const secret = /token|secret|passw|pwd|api[_-]?key|jwt|session|signature|otp$|^auth/i;
/** How often an address may be encoded: links within links are twice. */
const mostEncodings = 3;

/**
 * The address of a page as it may be told and stored: without a name and password, and without the values of
 * parameters that are credentials, in the query and in the fragment (`#access_token=…`). With `mask` its path, query
 * and fragment are masked too, percent signs read; the host stays, for knowledge is found by it.
 */
export function redactAddress(address: string, mask?: (text: string) => string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)?([^]*)$/i.exec(address) ?? [];
  const [host = ''] = (scheme && /^[^/?#]*/.exec(rest)) || [];
  const masked = (piece: string): string => {
    const plain = decoded(piece);
    const safe = mask?.(plain);
    if (safe === undefined || safe === plain) return piece;
    // Encoded again: what was a sign within a value must not become one of the address.
    return encodeURIComponent(safe)
      .replace(/%5B(\w+)%5D/g, '[$1]')
      .replace(/%20/g, '+');
  };
  const pieces = rest
    .slice(host.length)
    .replace(
      /([?#&;]?)([^/?#&;=]*)(=?)([^/?#&;]*)/g,
      (_, sign: string, name: string, equal: string, value: string) =>
        equal && secret.test(name)
          ? sign + name + equal
          : sign + masked(name) + equal + masked(value),
    );
  return scheme + host.slice(host.lastIndexOf('@') + 1) + pieces;
}

/** Percent signs read, as forms write them too; what is not rightly encoded stays as it is. */
function decoded(piece: string): string {
  let plain = piece.replace(/\+/g, ' ');
  for (let round = 0; round < mostEncodings; round++) {
    const next = plain.replace(/(?:%[\da-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run);
      } catch {
        return run;
      }
    });
    if (next === plain) break;
    plain = next;
  }
  return plain;
}
