import { part as masking } from './masking.js';
import { part as pages } from './pages.js';
import { part as panel } from './panel.js';
import { textsOf } from '../texts/panel-texts.js';

/* The panel with all on-demand parts, for the npm package and the extension, which use one bundle. */

export const wholePanel = {
  ...panel,
  mask: masking,
  textsOf,
  loadPages: () => Promise.resolve(pages),
};
