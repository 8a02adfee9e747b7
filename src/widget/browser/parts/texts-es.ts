export { es as part } from '../texts/es.js';
