import type { ChatNotification, SessionState } from '../session.js';
import { composer } from './composer.js';
import { button, element } from './element.js';
import { icon } from './icons.js';
import { messageLog } from './message-log.js';
import type { ViewContext } from './view-context.js';
import type { Cleanup } from './cleanup.js';

/** The log, with what was answered meanwhile above it and the composer below. */
export function chat(context: ViewContext, cleanup: Cleanup, kept?: HTMLTextAreaElement) {
  const { texts, go, session } = context;
  const write = composer(context, kept);
  const toLatest = (): void => {
    log.scroll.toEnd();
    write.input.focus();
  };
  const latest = button('latest', toLatest, [icon('down')], texts.latest);
  const log = messageLog(context, cleanup, (away) => {
    latest.hidden = !away;
  });
  let news: ChatNotification | undefined;
  const toNews = (): void => {
    if (news?.conversationId) session.openConversation(news.conversationId);
    else go('notifications');
  };
  const banner = button('banner', toNews, [texts.answered]);
  const earlier = button('banner', () => session.continueEarlier?.(), [texts.earlier]);
  return {
    node: element(
      'div',
      { class: 'body' },
      banner,
      earlier,
      log.spoken,
      log.node,
      latest,
      write.node,
    ),
    input: write.input,
    shown() {
      write.fit();
      log.scroll.restart();
    },
    update(state: SessionState) {
      news = state.notifications.find(({ isAnswer, read }) => isAnswer && !read);
      banner.hidden = !news;
      // Whoever asks something else has declined.
      earlier.hidden = state.messages.length > 0 || !session.hasEarlier?.();
      log.update(state);
      write.update();
    },
  };
}
