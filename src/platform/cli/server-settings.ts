import { AppError } from '../errors.js';
import { parseUrl } from '../text/parse-url.js';

/**
 * Reads the address given with --server: http or https, with a path prefix, if any. `note` receives a warning when the
 * connection is not encrypted. Refuses with `usage`.
 */
export function readServerUrl(text: string, note: (text: string) => void): URL {
  const url = parseUrl(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const hasMore = url !== undefined && url.username + url.password + url.search + url.hash !== '';
  if (url === undefined || !isWeb || hasMore) {
    const sentence = `--server: expected an address such as https://assistant.example.com, not ${JSON.stringify(withoutPassword(text))}.`;
    throw new AppError('usage', sentence);
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    note(`${url.origin} is not https: the token and the files can be read on their way there.`);
  }
  return url;
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host);
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//…@');
}
