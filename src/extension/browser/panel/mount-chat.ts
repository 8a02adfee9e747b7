import type { WidgetLanguage } from '../../../chat/api-types.js';
import { wholePanel } from '../../../chat/parts/whole-panel.js';
import type { Session } from '../../../chat/session.js';
import type { Texts } from '../../../chat/texts/texts.js';
import { mountView, type View } from '../../../chat/shell/mount-view.js';
import type { Panel } from '../../../chat/view/panel.js';
import type { PageName, ViewContext, ViewOptions } from '../../../chat/view/view-context.js';

/**
 * Below the head of the side panel, which says how high it is in `--head`, the chat has all the room there is. The menu
 * stands in that head; only what it leads to has a head of its own, to come back. That of the chat is read out alone.
 */
const styles = `
.launcher,.lost{display:none!important}
.root .panel{inset:var(--head,0) 0 0;contain:none;width:auto;height:auto;border:0;border-radius:0;box-shadow:none;animation:none}
.head:has(>[hidden]:first-child){position:absolute;width:1px;height:1px;padding:0;overflow:hidden;clip-path:inset(50%)}
.head:has(>[hidden]:first-child)>:not(.title),.head .title small{display:none}
`;

export interface Chat extends View {
  /** What the chat's own parts are made with. */
  context: Omit<ViewContext, 'go'>;
  go(page: PageName): void;
}

/**
 * The widget's own chat, without its button: in the side panel it is open for as long as it is wanted. `quota` is said
 * of a question that is one too many.
 */
export function mountChat(session: Session, language: WidgetLanguage, quota: string): Chat {
  const nothing = (): void => undefined;
  let shown: Panel | undefined;
  const options: ViewOptions = {
    ...{ position: 'bottom-right', theme: 'auto', language, autoOpen: false, collapsed: true },
    ...{ zIndex: 1, userAuth: false, docsBaseUrl: undefined },
  };
  const { loadPages } = wholePanel;
  const textsOf = (language: WidgetLanguage): Texts => {
    const texts = wholePanel.textsOf(language);
    return {
      ...texts,
      /** The chat says of whatever failed that it may be tried again. */
      get failed() {
        const asked = session.state.messages.findLast(({ role }) => role === 'user');
        return asked?.error?.code === 'quota_exceeded' ? quota : texts.failed;
      },
    };
  };
  const view = mountView(options, { onOpen: nothing, onClose: nothing, onNeeded: nothing });
  view.fill(session, {
    ...wholePanel,
    textsOf,
    createPanel(context, _close, cleanup, kept) {
      shown = wholePanel.createPanel(context, nothing, cleanup, kept);
      // Closing is the browser's matter here.
      for (const button of shown.node.querySelectorAll('button')) {
        if (button.ariaLabel === context.texts.close) button.hidden = true;
      }
      return shown;
    },
    // It fills the panel at any size, and covers nothing that it would have to keep from being reached.
    fillSmallScreen: () => nothing,
    styles: wholePanel.styles + styles,
  });
  return {
    ...view,
    context: { session, language, texts: textsOf(language), options: () => options, loadPages },
    go: (page) => shown?.go(page),
  };
}
