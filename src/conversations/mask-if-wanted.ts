import type { App } from '../platform/app.js';
import { maskPersonalData } from '../platform/text/mask-personal-data.js';

/** A text without personal data, where the configuration has it masked before anything is stored or sent. */
export function maskIfWanted(app: Pick<App, 'config'>, text: string): string {
  return app.config.privacy.mask_personal_data ? maskPersonalData(text).text : text;
}
