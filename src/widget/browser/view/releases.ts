/** What was opened outside the view's own nodes, so that one call ends all of it. */
export interface Releases {
  add(release: () => void): void;
  listen(target: EventTarget, type: string, listener: (event: Event) => void): void;
  all(): void;
}

export function collectReleases(): Releases {
  const pending: (() => void)[] = [];
  return {
    add: (release) => void pending.push(release),
    listen(target, type, listener) {
      target.addEventListener(type, listener);
      pending.push(() => target.removeEventListener(type, listener));
    },
    all() {
      for (const release of pending.splice(0).reverse()) release();
    },
  };
}
