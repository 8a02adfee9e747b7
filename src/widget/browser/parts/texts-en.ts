export { en as part } from '../texts/en.js';
