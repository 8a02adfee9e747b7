import { AppError } from '../errors.js';
import { parseUrl } from '../text/parse-url.js';

/** The server's address. `base` has no trailing slash and no credentials, so it may be shown. */
export interface OllamaAddress {
  base: string;
  /** The Authorization header for an address that carries `user:password@`. */
  authorization: string | undefined;
}

const DEFAULT_PORT = '11434';

/** 0.0.0.0 and :: are addresses to listen on. In a setting copied from OLLAMA_HOST, they mean this machine. */
const anyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '[::1]'],
]);

/**
 * Parses every form that Ollama accepts in OLLAMA_HOST: `host`, `host:port`, `:port` or an http(s) URL with an optional
 * path. The default port is 11434 without a scheme, and the scheme's own (80, 443) with one. Refuses any other form
 * with invalid_config.
 */
export function parseOllamaAddress(setting: string): OllamaAddress {
  const given = setting.trim();
  const hasScheme = given.includes('://');
  const url = parseUrl(
    hasScheme ? given : `http://${given.startsWith(':') ? '127.0.0.1' : ''}${given}`,
  );
  if (!url?.hostname || !['http:', 'https:'].includes(url.protocol)) {
    throw new AppError(
      'invalid_config',
      `ollama.url is "${withoutCredentials(given)}", which is no address: write for example http://127.0.0.1:11434 or ollama.example.com:11434.`,
    );
  }
  const host = anyAddress.get(url.hostname) ?? url.hostname;
  const port = url.port || (hasScheme || hasPort80(given) ? '' : DEFAULT_PORT);
  return {
    base: `${url.protocol}//${host}${port && `:${port}`}${url.pathname.replace(/\/+$/, '')}`,
    authorization: basicAuthorization(url),
  };
}

/** URL drops a port that is the scheme's default, so `host:80` must be detected in the text. */
function hasPort80(given: string): boolean {
  return /:80(?:\/|$)/.test(given);
}

function basicAuthorization(url: URL): string | undefined {
  if (!url.username && !url.password) return undefined;
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function withoutCredentials(given: string): string {
  return given.slice(given.lastIndexOf('@') + 1);
}
