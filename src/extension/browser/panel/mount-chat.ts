import type { WidgetLanguage } from '../../../chat/api-types.js';
import { wholePanel } from '../../../chat/parts/whole-panel.js';
import type { Session } from '../../../chat/session.js';
import type { Texts } from '../../../chat/texts/texts.js';
import { mountView, type View } from '../../../chat/shell/mount-view.js';
import type { Panel } from '../../../chat/view/panel.js';
import type { PageName, ViewContext, ViewOptions } from '../../../chat/view/view-context.js';

/**
 * The chat takes all room below the side panel's head, whose height is in `--head`. The menu is in that head; only the
 * menu's pages have their own head, to return. The chat's own head is only for screen readers.
 */
const styles = `
.launcher,.lost{display:none!important}
.root .panel{inset:var(--head,0) 0 0;contain:none;width:auto;height:auto;border:0;border-radius:0;box-shadow:none;animation:none}
.head:has(>[hidden]:first-child){position:absolute;width:1px;height:1px;padding:0;overflow:hidden;clip-path:inset(50%)}
.head:has(>[hidden]:first-child)>:not(.title),.head .title small{display:none}
`;

export interface Chat extends View {
  /** Passed to the chat's parts. */
  context: Omit<ViewContext, 'go'>;
  go(page: PageName): void;
}

/** The widget's chat without its button, always open. `quota` is the text for a question beyond the quota. */
export function mountChat(session: Session, language: WidgetLanguage, quota: string): Chat {
  const nothing = (): void => undefined;
  let shown: Panel | undefined;
  const options: ViewOptions = {
    position: 'bottom-right',
    theme: 'auto',
    language,
    autoOpen: false,
    collapsed: true,
    zIndex: 1,
    userAuth: false,
    docsBaseUrl: undefined,
    linksInPage: 'none',
  };
  const { loadPages } = wholePanel;
  const textsOf = (language: WidgetLanguage): Texts => {
    const texts = wholePanel.textsOf(language);
    return {
      ...texts,
      /** The chat offers a retry for every failure. */
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
      // In a side panel, the browser handles closing.
      for (const button of shown.node.querySelectorAll('button')) {
        if (button.ariaLabel === context.texts.close) button.hidden = true;
      }
      return shown;
    },
    // The chat always fills the panel, and covers nothing that must become inert.
    fillSmallScreen: () => nothing,
    styles: wholePanel.styles + styles,
  });
  return {
    ...view,
    context: { session, language, texts: textsOf(language), options: () => options, loadPages },
    go: (page) => shown?.go(page),
  };
}
