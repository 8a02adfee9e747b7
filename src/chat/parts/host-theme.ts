/* With the theme `host` alone. */
export { followHost as part } from '../theme/follow-host.js';
