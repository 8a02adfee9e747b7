import { findElements, isElement, lineOf, makeElement, namesOf, type Element } from './tree.js';

const isPanel = (element: Element | undefined) => element?.attributes['role'] === 'tabpanel';
const isTab = ({ attributes, name }: Element) => attributes['role'] === 'tab' || name === 'label';

/**
 * Has each panel of a row of tabs below the name of its tab. A page shows one at a time, and its reader opens the
 * others: they are not hidden.
 */
export function nameTabs(element: Element): void {
  const children = element.children.filter((child) => isElement(child));
  for (const [at, child] of children.entries()) {
    const isList =
      child.attributes['role'] === 'tablist' ||
      namesOf(child).some((name) => /^(?:tabbed-labels|tabs)$/.test(name));
    const tabs = isList ? findElements(child, isTab) : [];
    const panels = tabs.length > 1 ? panelsBehind(children, at) : [];
    if (panels.length > 1 && panels.length === tabs.length) {
      child.children = [];
      for (const [place, panel] of panels.entries()) {
        const name = makeElement('p', [makeElement('b', [lineOf(tabs[place] ?? '')])]);
        panel.children.unshift(name);
        delete panel.attributes['hidden'];
        delete panel.attributes['style'];
      }
    }
    nameTabs(child);
  }
}

/** What stands behind a row of tabs: panels side by side, or one element with all of them. */
function panelsBehind(children: readonly Element[], at: number): Element[] {
  const next = children[at + 1];
  if (next === undefined) return [];
  if (isPanel(next)) {
    let end = at + 1;
    while (isPanel(children[end])) end++;
    return children.slice(at + 1, end);
  }
  const panels = findElements(next, isPanel);
  return panels.length > 0 ? panels : next.children.filter((child) => isElement(child));
}
