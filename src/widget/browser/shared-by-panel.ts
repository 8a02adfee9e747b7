import { ServiceError } from './service-requests.js';
import { noticeOf } from './session-notices.js';
import { answerText } from './view/answer-text.js';

/** What parts that are loaded after the panel take from it; read by the build as `shared.ts` is. */
export const sharedByPanel = { ServiceError, answerText, noticeOf };
