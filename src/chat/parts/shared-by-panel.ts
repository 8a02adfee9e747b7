import { ServiceError } from '../connection/service-requests.js';
import { noticeOf } from '../session/session-notices.js';
import { timeText } from '../view/time-text.js';
import { waitText } from '../view/wait-text.js';
import { answerText } from '../view/answer-text.js';

/** What parts that are loaded after the panel take from it; read by the build as `shared.ts` is. */
export const sharedByPanel = { ServiceError, answerText, noticeOf, timeText, waitText };
