/* Loaded only with `piiMasking`. */
export { mask as part } from '../page/mask.js';
