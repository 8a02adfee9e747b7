import type { SessionError } from '../session.js';
import type { Texts } from '../texts/texts.js';

/** The service's own sentences are for developers, in English; these are for whoever asked. */
export function errorText(error: SessionError | undefined, texts: Texts): string {
  if (error?.retryAfter !== undefined) return texts.rateLimited(Math.ceil(error.retryAfter));
  if (error?.code === 'offline') return texts.offline;
  return error?.code === 'timeout' ? texts.timeout : texts.failed;
}
