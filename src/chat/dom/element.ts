type Value = string | number | boolean | undefined;
type Handlers = Partial<
  Pick<GlobalEventHandlers, 'onclick' | 'onkeydown' | 'onsubmit' | 'onerror'>
>;
export type Child = Node | string | undefined | false;
export type Attributes = Handlers & Readonly<Record<string, Value | Handlers[keyof Handlers]>>;

/**
 * Creates an element with attributes and children; `false` and undefined are skipped in both. Handlers are set as
 * properties: they disappear with their element, so nothing must be released.
 */
export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') Object.assign(made, { [name]: value });
    else setAttribute(made, name, value ?? undefined);
  }
  made.append(...present(children));
  return made;
}

export function present<T>(children: readonly (T | undefined | false)[]): T[] {
  return children.filter((child): child is T => child !== undefined && child !== false);
}

/** A button that submits no form. With `label`, it shows no text; the label is its name and tooltip. */
export function button(
  className: string,
  onclick: () => void,
  children: Child[],
  label?: string,
): HTMLButtonElement {
  const made = element('button', { type: 'button', class: className, onclick }, ...children);
  if (label) nameButton(made, label);
  return made;
}

export function nameButton(made: HTMLElement, label: string): void {
  made.ariaLabel = made.title = label;
}

export function setAttribute(of: Element, name: string, value: Value): void {
  if (value === false || value === undefined) of.removeAttribute(name);
  else of.setAttribute(name, String(value));
}

/** Sets a text only if it differs, so that a live region announces nothing twice. */
export function setText(of: Element, text: string): void {
  if (of.textContent !== text) of.textContent = text;
}

/** Functions to call at the end: they release observers, timers, and listeners on objects that live longer. */
export type Cleanup = (() => void)[];

export function runCleanup(cleanup: Cleanup): void {
  for (const release of cleanup.splice(0)) release();
}
