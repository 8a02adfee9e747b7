import { parseUrl } from '../../../platform/text/parse-url.js';

export interface ServerAddress {
  /** With its path, if it has one, and without a slash at its end. */
  url: string;
  /** What the browser is asked to allow. */
  pattern: string;
  /** Whether what is sent there can be read on the way. */
  isPlain: boolean;
}

/**
 * The address of a service out of what was typed; undefined where it is none. Without a scheme, https is meant, on this
 * machine http; and a single word is no address then.
 */
export function serverAddressOf(typed: string): ServerAddress | undefined {
  const text = typed.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  const isName = /^([^/?#:]*[^/?#:.]\.[^/?#:.]|\[|localhost(?=[:/?#]|$))/i.test(text);
  const url = hasScheme || isName ? parseUrl(hasScheme ? text : `https://${text}`) : undefined;
  if (url === undefined) return undefined;
  // Some browsers encode what can't stand in a host's name, instead of refusing it.
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
