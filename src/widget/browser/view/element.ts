type Attribute = string | number | boolean | undefined;
type Handlers = Partial<
  Pick<GlobalEventHandlers, 'onclick' | 'oninput' | 'onkeydown' | 'onsubmit'>
>;
export type Child = Node | string | undefined;
export type Attributes = Readonly<Record<string, Attribute>>;

/**
 * An element with its attributes and children: `true` sets an attribute empty, `false` and undefined leave it out.
 * Handlers are set as properties: they die with their element, so that nothing has to be released.
 */
export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  handlers: Handlers = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  for (const name of Object.keys(attributes)) setAttribute(made, name, attributes[name]);
  Object.assign(made, handlers);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export function setAttribute(of: Element, name: string, value: Attribute): void {
  const wanted = value === true ? '' : value;
  if (wanted === false || wanted === undefined) of.removeAttribute(name);
  else of.setAttribute(name, String(wanted));
}

/** Replaces the text only where it differs: a live region is not to be announced for nothing. */
export function setText(of: Element, text: string): void {
  if (of.textContent !== text) of.textContent = text;
}
