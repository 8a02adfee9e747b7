import type { WidgetLanguage } from '../api-types.js';
import type { PartName } from './part-names.js';
import type { part as hostTheme } from './host-theme.js';
import type { part as masking } from './masking.js';
import type { part as pages } from './pages.js';
import type { part as panel } from './panel.js';
import type { part as requests } from './requests.js';
import type { ListedTexts } from '../texts/name-texts.js';
import type { PanelTexts } from '../texts/texts.js';

/** The exports of each part, once it is loaded. */
export interface Parts extends Record<`texts-${WidgetLanguage}`, PanelTexts | ListedTexts> {
  panel: typeof panel;
  pages: typeof pages;
  requests: typeof requests;
  masking: typeof masking;
  'host-theme': typeof hostTheme;
}

/** Rejects when the part can't be loaded. A later call tries again. */
export type LoadPart = <N extends PartName>(name: N) => Promise<Parts[N]>;
