import { ServiceError } from '../connection/service-requests.js';
import { noticeOf } from '../session/session-notices.js';
import { timeText } from '../view/time-text.js';
import { waitText } from '../view/wait-text.js';
import { answerText } from '../view/answer-text.js';

/** Exports of the panel for parts that are loaded later. The build reads this file like `shared.ts`. */
export const sharedByPanel = { ServiceError, answerText, noticeOf, timeText, waitText };
