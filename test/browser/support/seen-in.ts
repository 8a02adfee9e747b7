import type { Tab } from './every-browser.js';

/** What people see of the widget, and do with it, in any browser. A selector names elements within the widget. */
export interface Seen {
  /** Waits until such elements are visible, and an expression in the page is true of `all` or of `it`, the last one. */
  shows(selector: string, expression?: string): Promise<void>;
  /** Waits until no such element is visible. */
  hides(selector: string): Promise<void>;
  /** Clicks on the middle of the last one, once it no longer moves and nothing covers it. */
  click(selector: string): Promise<void>;
}

export function seenIn(tab: Tab): Seen {
  const until = async (expression: string) => {
    const end = Date.now() + 30_000;
    while (Date.now() < end) {
      const value = await tab.evaluate(expression);
      if (value !== false) return value;
      await tab.evaluate(aMoment);
    }
    const text = await tab.evaluate(`${root}?.textContent`);
    throw new Error(`${expression} did not come true. The widget has: ${String(text)}`);
  };
  return {
    async shows(selector, expression = 'true') {
      await until(`((all, it = all.at(-1)) => Boolean(it && ${expression}))(${visible(selector)})`);
    },
    async hides(selector) {
      await until(`${visible(selector)}.length === 0`);
    },
    async click(selector) {
      const middle = await until(`(async (it) => {
        const place = () => JSON.stringify(it?.getBoundingClientRect());
        const before = place();
        await ${aMoment};
        if (!it || place() !== before) return false;
        const { x, y, width, height } = it.getBoundingClientRect();
        const middle = [Math.round(x + width / 2), Math.round(y + height / 2)];
        return it.contains(${root}.elementFromPoint(...middle)) ? middle : false;
      })(${visible(selector)}.at(-1))`);
      await tab.mouse.click(...(middle as [number, number]));
    },
  };
}

/** Not an animation frame, because WebKit draws none for a page that it considers hidden. */
const aMoment = 'new Promise((done) => setTimeout(done, 30))';

const root = `document.querySelector('assistant-widget')?.shadowRoot`;

function visible(selector: string): string {
  const all = `${root}?.querySelectorAll(${JSON.stringify(selector)}) ?? []`;
  return `[...(${all})].filter((one) => one.checkVisibility({ visibilityProperty: true }))`;
}
