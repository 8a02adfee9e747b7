/* Where no WebSocket gets through. */
export { createRequestAnswers as part } from '../session/answer-by-requests.js';
