import { selectedNow } from '../../chat/page/watch-selection.js';
import {
  button,
  element,
  nameButton,
  present,
  setAttribute,
  setText,
} from '../../chat/dom/element.js';
import { icon } from '../../chat/dom/icons.js';

/**
 * What parts take from the script that loads them, instead of holding it once more: the build reads from here which
 * modules these are. Each name is one of its own module's exports.
 */
export const shared = {
  ...{ button, element, nameButton, present, setAttribute, setText },
  ...{ icon, selectedNow },
};
