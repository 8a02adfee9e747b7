import type { SessionState } from '../session.js';
import { composer } from './composer.js';
import { button, element, setText } from './element.js';
import { icon } from './icons.js';
import { messageLog } from './message-log.js';
import type { Releases } from './releases.js';
import type { ViewContext } from './view-context.js';

/** The log, with what was answered meanwhile above it and the composer below. */
export function chat(context: ViewContext, releases: Releases, kept?: HTMLTextAreaElement) {
  const { texts, go } = context;
  const write = composer(context, kept);
  const toLatest = (): void => {
    log.scroll.toEnd();
    write.input.focus();
  };
  const latest = button('latest', toLatest, [icon('down')], texts.latest);
  const log = messageLog(context, releases, (away) => {
    latest.hidden = !away;
  });
  const count = element('span', { class: 'count' });
  const banner = button('banner', () => go('notifications'), [icon('bell'), texts.notified, count]);
  write.node.prepend(latest);
  return {
    node: element('div', { class: 'body' }, banner, log.node, write.node),
    input: write.input,
    restart: log.scroll.restart,
    update(state: SessionState) {
      const unread = state.notifications.filter(({ read }) => !read).length;
      banner.hidden = unread === 0;
      setText(count, unread > 1 ? String(unread) : '');
      log.update(state);
      write.update(state);
    },
  };
}
