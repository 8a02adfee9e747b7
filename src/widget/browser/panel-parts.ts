import { mask } from './context/mask.js';
import { readPage } from './context/read-page.js';
import { createSession } from './create-session.js';
import { openBrowserHost } from './open-browser-host.js';
import { textsOf } from './texts/panel-texts.js';
import { createPanel } from './view/panel.js';
import { fillSmallScreen } from './view/small-screen.js';
import { chatStyles } from './view/styles-chat.js';
import { frameStyles } from './view/styles-frame.js';

/*
 * All that is needed from the moment on that somebody reaches for the button, and not before: pages load it as a second
 * script, so that those who never ask pay for the button alone.
 */

export const panelParts = {
  createSession,
  openBrowserHost,
  createPanel,
  fillSmallScreen,
  textsOf,
  readPage,
  mask,
  styles: frameStyles + chatStyles,
};

export type PanelParts = typeof panelParts;
