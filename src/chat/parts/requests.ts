/* Loaded where no WebSocket can be opened. */
export { createRequestAnswers as part } from '../session/answer-by-requests.js';
