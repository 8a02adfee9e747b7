import type { Cleanup } from '../dom/element.js';

/** Within this many pixels, the reader is at the end. */
const near = 48;
/** In pixels, above a question that is held at the top. */
const margin = 14;
/** The largest share of the log that a question may take. */
const mostOfLog = 0.6;

export interface FollowEnd {
  /** A question was asked, or another conversation is shown: follow new text from any scroll position. */
  restart: () => void;
  /** Scrolls to the end and follows further text. */
  toEnd: () => void;
}

/**
 * Keeps the end of the log in view while the reader is there, and never scrolls when the reader has moved away. A long
 * answer is followed only until its question reaches the top, so that its beginning is read first. A stopped answer is
 * followed to its note.
 */
export function followEnd(
  log: HTMLElement,
  content: HTMLElement,
  heldAtTop: () => HTMLElement | null | undefined,
  cleanup: Cleanup,
  changed: (away: boolean) => void,
): FollowEnd {
  let following = true;
  let toTheEnd = false;
  /** The last position to which this code has scrolled. */
  let target = 0;
  let frame = 0;

  const end = (): number => log.scrollHeight - log.clientHeight;
  // The button changes the height of the log. Do not change it inside the log's own observer.
  const report = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => changed(!!heldAtTop() && end() - log.scrollTop > near));
  };
  const follow = (from: number): void => {
    if (following) {
      const held = heldAtTop();
      // If the question fills the log, the end is followed instead, because the answer begins below. Without a
      // question, the greeting is shown first.
      const most = toTheEnd
        ? Infinity
        : held
          ? held.offsetTop + Math.max(-margin, held.offsetHeight - log.clientHeight * mostOfLog)
          : 0;
      target = Math.max(0, Math.min(end(), most));
      if (target > from) log.scrollTop = target;
    }
    report();
  };
  const start = (all: boolean): void => {
    following = true;
    toTheEnd = all;
    follow(-1);
  };
  log.onscroll = () => {
    following = log.scrollTop >= Math.min(target, end()) - 2;
    report();
  };
  // When a click opens something above, the clicked element must stay under the pointer. A click
  // that asks a question calls `restart` afterwards.
  log.addEventListener(
    'click',
    () => {
      following = false;
      target = Infinity;
    },
    true,
  );
  const watch = new ResizeObserver(() => follow(log.scrollTop));
  watch.observe(log);
  watch.observe(content);
  cleanup.push(() => {
    watch.disconnect();
    cancelAnimationFrame(frame);
  });
  return { restart: () => start(false), toEnd: () => start(true) };
}
