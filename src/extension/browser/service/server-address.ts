import { parseUrl } from '../../../platform/text/parse-url.js';

export interface ServerAddress {
  /** With its path, if any, and without a final slash. */
  url: string;
  /** The permission to request from the browser. */
  pattern: string;
  /** True when the connection is not encrypted. */
  isPlain: boolean;
}

/**
 * Parses a typed service address; undefined when invalid. Without a scheme, it means https (http on this machine), and
 * a single word is invalid.
 */
export function serverAddressOf(typed: string): ServerAddress | undefined {
  const text = typed.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const isName = /^([^/?#:]*[^/?#:.]\.[^/?#:.]|\[|localhost(?=[:/?#]|$))/i.test(text);
  const url = hasScheme || isName ? parseUrl(hasScheme ? text : `https://${text}`) : undefined;
  if (url === undefined) return undefined;
  // Some browsers encode invalid host characters instead of refusing them.
  const isHost = /^([\w.-]+|\[[\da-f:.]+\])$/.test(url.hostname);
  const isPlainUrl = url.username === '' && url.password === '';
  const isUsable = /^https?:$/.test(url.protocol) && isHost && isPlainUrl;
  if (text.length > 2000 || !isUsable) return undefined;
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (isLocal && !hasScheme) url.protocol = 'http:';
  return {
    url: url.origin + url.pathname.replace(/\/+$/, ''),
    pattern: `${url.origin}/*`,
    isPlain: url.protocol === 'http:' && !isLocal,
  };
}
