import type { Cleanup } from '../dom/cleanup.js';

/** Within so many pixels of the end there is nothing more to jump to. */
const near = 48;
/** Above a question that is held at the top. */
const margin = 14;
/** So much of the log a question may take at most. */
const mostOfLog = 0.6;

export interface FollowEnd {
  /** A question was asked, or another conversation is shown: what comes is followed, wherever the reader was. */
  restart: () => void;
  /** All the way down, and on with what is still being written. */
  toEnd: () => void;
}

/**
 * Keeps the end of the log in view while the reader is there, and leaves them alone where they went elsewhere. A long
 * answer is followed only until its question reaches the top: its beginning is read first. What a reader has stopped is
 * followed to the note that says so.
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
  /** Where the log was scrolled to last, by itself. */
  let target = 0;
  let frame = 0;

  const end = (): number => log.scrollHeight - log.clientHeight;
  // The button that it shows takes room of the log: never within the log's own observer.
  const report = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => changed(!!heldAtTop() && end() - log.scrollTop > near));
  };
  const follow = (from: number): void => {
    if (following) {
      const held = heldAtTop();
      // Of a question that fills the log the end is held instead: below it the answer begins.
      // Where nothing was asked yet, the greeting is read first.
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
  // What a press opens further up must not move away from under it. What is asked by one calls `restart` after this.
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
