export { de as part } from '../texts/de.js';
