import { answerHelp } from '../view/answer-help.js';
import { conversationsPage } from '../view/conversations-page.js';
import { notificationsPage } from '../view/notifications-page.js';
import { signInPage } from '../view/sign-in-page.js';
import type { Pages } from '../view/view-context.js';

/** What the panel's menu leads to, and what few answers need. */
export const part: Pages = {
  conversations: conversationsPage,
  notifications: notificationsPage,
  signIn: signInPage,
  answerHelp,
};
