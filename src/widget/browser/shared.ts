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
 * Modules that parts take from the first script instead of containing them again. The build reads the modules from
 * here. Each name is an export of its own module.
 */
export const shared = {
  button,
  element,
  nameButton,
  present,
  setAttribute,
  setText,
  icon,
  selectedNow,
};
