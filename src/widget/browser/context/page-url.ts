/** Names of parameters whose values open something. */
const secret = /token|secret|passw|pwd|api[_-]?key|jwt|session|signature|otp$|^auth/i;

/**
 * The address of a page as it may leave it: without a name and password, and without the values of parameters that are
 * credentials, in the query and in the fragment (`#access_token=…`). With `mask` its path, query and fragment are
 * masked too, percent signs read; the host stays, for knowledge is found by it.
 */
export function pageUrl(address: string, mask?: (text: string) => string): string {
  const masked = (part: string): string => {
    if (!mask) return part;
    try {
      const plain = decodeURIComponent(part.replaceAll('+', ' '));
      const safe = mask(plain);
      return safe === plain ? part : safe.replaceAll(' ', '+');
    } catch {
      return mask(part);
    }
  };
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)?([^]*)$/i.exec(address) ?? [];
  const [host = ''] = (scheme && /^[^/?#]*/.exec(rest)) || [];
  const values = rest
    .slice(host.length)
    .replace(
      /([?#&;]?)([^/?#&;=]*)(=?)([^/?#&;]*)/g,
      (_, sign: string, name: string, equal: string, value: string) =>
        equal && secret.test(name)
          ? sign + name + equal
          : sign + masked(name) + equal + masked(value),
    );
  return scheme + host.slice(host.lastIndexOf('@') + 1) + values;
}
