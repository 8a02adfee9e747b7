import type { ChatNotification, SessionState } from '../session.js';
import { type Cleanup, button, element } from '../dom/element.js';
import { icon } from '../dom/icons.js';
import { composer } from './composer.js';
import { messageLog } from './message-log.js';
import type { ViewContext } from './view-context.js';

/** The message log, with notices above it and the composer below. */
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
  const settle = (isContinued: boolean) => () => {
    session.settleEarlier?.(isContinued);
    // The focused element disappears, so the focus must move inside the panel.
    log.node.focus({ preventScroll: true });
  };
  const earlier = element(
    'div',
    { class: 'banner pair' },
    button('', settle(true), [texts.earlier]),
    button('quiet copy', settle(false), [texts.decline]),
  );
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
    shown: () => {
      write.fit();
      log.scroll.restart();
    },
    update(state: SessionState) {
      news = state.notifications.find(({ isAnswer, read }) => isAnswer && !read);
      // Shows one notice at a time. Without a connection the head says so, and neither action would work.
      const isLost = state.connection !== 'online';
      banner.hidden = !news || isLost;
      // A reader who asks something else has declined.
      earlier.hidden = !!(news ?? state.messages[0]) || isLost || !session.hasEarlier?.();
      log.update(state);
      write.update();
    },
  };
}
