import type { App } from '../../platform/app.js';
import { maskPersonalData } from '../../platform/text/mask-personal-data.js';
import { redactAddress } from '../../platform/text/redact-address.js';

/** Masks personal data in a text, if the configuration requires it before anything is stored or sent. */
export function maskIfWanted(app: Pick<App, 'config'>, text: string): string {
  return maskOf(app)?.(text) ?? text;
}

/** A page's address in its stored form: always without credentials, and without personal data if configured. */
export function addressToStore(app: Pick<App, 'config'>, address: string): string {
  return redactAddress(address, maskOf(app));
}

function maskOf({ config }: Pick<App, 'config'>): ((text: string) => string) | undefined {
  return config.privacy.mask_personal_data ? (text) => maskPersonalData(text).text : undefined;
}
