import type { WidgetLanguage } from '../../../widget/browser/api-types.js';
import type { Session } from '../../../widget/browser/session.js';
import { textsOf } from '../../../widget/browser/texts/panel-texts.js';
import { mountView, type View } from '../../../widget/browser/view/mount-view.js';
import { createPanel } from '../../../widget/browser/view/panel.js';
import { chatStyles } from '../../../widget/browser/view/styles-chat.js';
import { frameStyles } from '../../../widget/browser/view/styles-frame.js';

/** Below the head of the side panel, which says how high it is in `--head`, the chat has all the room there is. */
const styles = `
.launcher,.lost{display:none!important}
.root .panel{inset:var(--head,0) 0 0;width:auto;height:auto;border:0;border-radius:0;box-shadow:none;animation:none}
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
    createPanel(context, _close, life, kept) {
      const panel = createPanel(context, nothing, life, kept);
      // Closing is the browser's matter here.
      for (const button of panel.node.querySelectorAll('button')) {
        if (button.ariaLabel === context.texts.close) button.hidden = true;
      }
      return panel;
    },
    // It fills the panel at any size, and covers nothing that it would have to keep from being reached.
    fillSmallScreen: () => nothing,
    textsOf,
    styles: frameStyles + chatStyles + styles,
  });
  return view;
}
