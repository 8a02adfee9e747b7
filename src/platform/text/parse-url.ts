/** The longest DNS name, with an optional final dot. */
const host = /^.{0,253}\.?$/;
/** The most characters of a host with user and port, as written: parsing an IDN of 16,000 takes 0.25 s. */
const mostWritten = 1000;

/**
 * Parses a URL; undefined for an invalid one, or a host of more than 253 characters. Do not use `URL.canParse`: in Node
 * 20, once optimised, it treats bytes as letters and accepts texts that the constructor then refuses.
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

/** A part of an address without percent signs; as it is written where these mean nothing. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
