/**
 * The address that a text writes; undefined for what is none. Not by `URL.canParse`: in Node 20 it takes, once it is
 * optimised, bytes for letters that the constructor then refuses.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
