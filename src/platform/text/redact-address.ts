/** Names of parameters whose values are credentials. */
const secret = /token|secret|passw|pwd|api[_-]?key|jwt|session|signature|otp$|^auth/i;
/** The most levels of percent-encoding: a link within a link has two. */
const mostEncodings = 3;

/**
 * A page address that may be logged and stored: without user name and password, and without the values of credential
 * parameters in query and fragment (`#access_token=…`). With `mask`, the decoded path, query and fragment are masked
 * too. The host stays, because knowledge is found by it.
 */
export function redactAddress(address: string, mask?: (text: string) => string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)?([^]*)$/i.exec(address) ?? [];
  const [host = ''] = (scheme && /^[^/?#]*/.exec(rest)) || [];
  const masked = (piece: string): string => {
    const plain = decoded(piece);
    const safe = mask?.(plain);
    if (safe === undefined || safe === plain) return piece;
    // Encode again: a sign within a value must not become part of the URL's syntax.
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

/** Decodes percent signs and the plus signs of forms. Invalid encodings stay unchanged. */
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
