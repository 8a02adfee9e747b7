import { history, type History } from '../session/history.js';
import { answerHelp } from '../view/answer-help.js';
import { conversationsPage } from '../view/conversations-page.js';
import { notificationsPage } from '../view/notifications-page.js';
import { fillPerson } from '../view/person.js';
import { signInPage } from '../view/sign-in-page.js';
import type { Pages } from '../view/view-context.js';

/** The pages of the panel's menu, the code for earlier conversations, and what few answers need. */
export const part: Pages & History = {
  ...history,
  fillPerson,
  conversations: conversationsPage,
  notifications: notificationsPage,
  signIn: signInPage,
  answerHelp,
};
