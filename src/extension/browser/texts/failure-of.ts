import type { ExtensionTexts } from './texts.js';

/** What users are told of a refusal: the service's own sentences are for developers. */
export function failureOf(texts: ExtensionTexts, code: string): string {
  if (code === 'offline') return texts.unreachable;
  if (code === 'quota_exceeded') return texts.quota;
  return code === 'signed_out' ? texts.signedOut : texts.refused;
}
