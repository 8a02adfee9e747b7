import { maskPersonalData } from '../platform/text/mask-personal-data.js';

/**
 * The address of a page without personal data in its path, query and fragment, percent-encoded or not. Its host stays,
 * an IP address too: it names the page, and with it the knowledge that belongs there. Takes an address that
 * `findSite` has accepted.
 */
export function maskPageUrl(text: string): string {
  const url = new URL(text);
  const place = `${url.pathname}${url.search}${url.hash}`;
  const masked = maskPersonalData(place)
    .text.split(/([/?&=#;]+)/)
    .map(maskPiece)
    .join('');
  return masked === place ? text : `${url.protocol}//${url.host}${masked}`;
}

/** An address without the user and password that it may carry: they are nobody's business here. */
export function withoutCredentials(text: string): string {
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  url.username = '';
  url.password = '';
  return url.href;
}

function maskPiece(piece: string): string {
  const plain = decoded(piece);
  const { text } = maskPersonalData(plain);
  return text === plain ? piece : encodeURIComponent(text).replaceAll(/%5B(\w+)%5D/g, '[$1]');
}

function decoded(piece: string): string {
  try {
    // Forms write a blank as a plus sign.
    return decodeURIComponent(piece.replaceAll('+', ' '));
  } catch {
    return piece;
  }
}
