/** What DNS takes of a name, and a dot at its end. */
const host = /^.{0,253}\.?$/;
/** Characters of a host with its user and port, as written: an IDN of 16,000 takes a quarter of a second to be read. */
const mostWritten = 1000;

/**
 * The address that a text writes; undefined for what is none, or whose host has more than 253 characters. Not by
 * `URL.canParse`: in Node 20 it takes, once it is optimised, bytes for letters that the constructor then refuses.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  const written = /^[^:]*:[/\\\s]*([^/\\?#]*)/.exec(text)?.[1] ?? '';
  if (written.length > mostWritten) return undefined;
  try {
    const url = new URL(text, base);
    return host.test(url.hostname) ? url : undefined;
  } catch {
    return undefined;
  }
}
