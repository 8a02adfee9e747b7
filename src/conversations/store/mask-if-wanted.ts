import type { App } from '../../platform/app.js';
import { maskPersonalData } from '../../platform/text/mask-personal-data.js';
import { redactAddress } from '../../platform/text/redact-address.js';

/** A text without personal data, where the configuration has it masked before anything is stored or sent. */
export function maskIfWanted(app: Pick<App, 'config'>, text: string): string {
  return maskOf(app)?.(text) ?? text;
}

/** The address of a page as it may be stored: never with credentials, and as wanted without personal data. */
export function addressToStore(app: Pick<App, 'config'>, address: string): string {
  return redactAddress(address, maskOf(app));
}

function maskOf({ config }: Pick<App, 'config'>): ((text: string) => string) | undefined {
  return config.privacy.mask_personal_data ? (text) => maskPersonalData(text).text : undefined;
}
