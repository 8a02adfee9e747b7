import { createBounded, restFor } from '../platform/workers/bounded.js';

/**
 * Figures and topics read all that was asked in months. One is made at a time, organizations take turns, and others keep
 * half of the time: the database has few connections, which the page query and answers need too. A line per organization.
 */
export const counting = createBounded({ atOnce: 1, waiting: 50, rest: restFor(1) });
