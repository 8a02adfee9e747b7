import type { SessionError } from '../session.js';
import type { Texts } from '../texts/texts.js';

/** The service's own sentences are for developers, in English; these are for whoever asked. */
export function errorText(error: SessionError | undefined, texts: Texts): string {
  if (error?.retryAfter) return texts.rateLimited(Math.ceil(error.retryAfter));
  const known: Partial<Record<string, string>> = {
    ...{ offline: texts.offline, timeout: texts.timeout },
    // Who stopped an answer knows why it ended.
    cancelled: '',
  };
  return known[error?.code ?? ''] ?? texts.failed;
}
