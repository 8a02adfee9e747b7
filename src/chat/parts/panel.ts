/* In the order of the script, which compresses best. */
import { openBrowserHost } from '../connection/open-browser-host.js';
import { chatStyles } from '../view/styles-chat.js';
import { frameStyles } from '../view/styles-frame.js';
import { sharedByPanel } from './shared-by-panel.js';
import { fillSmallScreen } from '../view/small-screen.js';
import { createSession } from '../session/create-session.js';
import { readPage } from '../page/read-page.js';
import { nameTexts } from '../texts/name-texts.js';
import { createPanel } from '../view/panel.js';

/** Everything that is needed once somebody reaches for the button, except its texts. */
export const part = {
  createSession,
  openBrowserHost,
  createPanel,
  fillSmallScreen,
  nameTexts,
  readPage,
  styles: frameStyles + chatStyles,
  shared: sharedByPanel,
};
