import { part as masking } from './parts/masking.js';
import { part as pages } from './parts/pages.js';
import { part as panel } from './parts/panel.js';
import { textsOf } from './texts/panel-texts.js';

/* The panel with all that pages load late, for whoever has it in one bundle. */

export const panelParts = {
  ...panel,
  mask: masking,
  textsOf,
  loadPages: () => Promise.resolve(pages),
};
