/* Loaded only for the theme `host`. */
export { followHost as part } from '../theme/follow-host.js';
