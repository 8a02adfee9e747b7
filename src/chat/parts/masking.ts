/* With `piiMasking` alone. */
export { mask as part } from '../page/mask.js';
