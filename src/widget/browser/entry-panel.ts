import { partsEvent } from './load-panel.js';
import { panelParts } from './panel-parts.js';

/* The second script of the widget, for the first one. */

document.currentScript?.dispatchEvent(new CustomEvent(partsEvent, { detail: panelParts }));
