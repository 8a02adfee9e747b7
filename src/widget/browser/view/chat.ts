import type { SessionState } from '../session.js';
import { composer } from './composer.js';
import { button, element, setText } from './element.js';
import { icon } from './icons.js';
import { unreadOf } from './menu.js';
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
  const toNews = (): void => {
    const news = session.state.notifications.find(({ read }) => !read);
    if (news?.conversationId) session.openConversation(news.conversationId);
    else go('notifications');
  };
  const count = element('span', { class: 'count' });
  const banner = button('banner', toNews, [texts.answered, count]);
  return {
    node: element('div', { class: 'body' }, banner, log.spoken, log.node, latest, write.node),
    input: write.input,
    shown() {
      write.fit();
      log.scroll.restart();
    },
    update(state: SessionState) {
      const unread = unreadOf(state.notifications);
      banner.hidden = unread === 0;
      setText(count, unread > 1 ? String(unread) : '');
      log.update(state);
      write.update();
    },
  };
}
