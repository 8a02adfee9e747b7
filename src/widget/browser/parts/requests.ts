/* Where no WebSocket gets through. */
export { createRequestAnswers as part } from '../answer-by-requests.js';
