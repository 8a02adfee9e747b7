import type { WidgetLanguage } from '../../../widget/browser/api-types.js';
import { panelParts } from '../../../widget/browser/panel-parts.js';
import type { Session } from '../../../widget/browser/session.js';
import { mountView, type View } from '../../../widget/browser/view/mount-view.js';

/**
 * Below the head of the side panel, which says how high it is in `--head`, the chat has all the room there is. Its own
 * buttons stand in the line of that head; only what its menu leads to has a head, to come back.
 */
const styles = `
.launcher,.lost{display:none!important}
.root .panel{inset:var(--head,0) 0 0;contain:none;width:auto;height:auto;border:0;border-radius:0;box-shadow:none;animation:none}
.head:has(>[hidden]:first-child){position:fixed;z-index:2;top:10px;right:48px;padding:0;border:0}
.head:has(>[hidden]:first-child)>.face{display:none}
.head:has(>[hidden]:first-child)>.title{position:absolute;width:1px;height:1px;clip-path:inset(50%)}
`;

/** The widget's own chat, without its button: in the side panel it is open for as long as it is wanted. */
export function mountChat(session: Session, language: WidgetLanguage): View {
  const nothing = (): void => undefined;
  const view = mountView(
    {
      ...{ position: 'bottom-right', theme: 'auto', language, autoOpen: false, collapsed: true },
      ...{ zIndex: 1, userAuth: false, docsBaseUrl: undefined },
    },
    { onOpen: nothing, onClose: nothing, onNeeded: nothing },
  );
  view.fill(session, {
    ...panelParts,
    createPanel(context, _close, life, kept) {
      const panel = panelParts.createPanel(context, nothing, life, kept);
      // Closing is the browser's matter here.
      for (const button of panel.node.querySelectorAll('button')) {
        if (button.ariaLabel === context.texts.close) button.hidden = true;
      }
      return panel;
    },
    // It fills the panel at any size, and covers nothing that it would have to keep from being reached.
    fillSmallScreen: () => nothing,
    styles: panelParts.styles + styles,
  });
  return view;
}
