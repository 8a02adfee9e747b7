/* With `piiMasking` alone. */
export { mask as part } from '../context/mask.js';
