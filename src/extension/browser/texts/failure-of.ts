import type { ExtensionTexts } from './texts.js';

/** The text for users of an error: the service's own messages are for developers. */
export function failureOf(texts: ExtensionTexts, code: string): string {
  if (code === 'offline') return texts.unreachable;
  if (code === 'quota_exceeded') return texts.quota;
  return code === 'signed_out' ? texts.signedOut : texts.refused;
}
