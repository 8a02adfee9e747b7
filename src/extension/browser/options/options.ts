import { element } from '../../../chat/dom/element.js';
import { openServiceOfPage } from '../service/open-service.js';
import { onStored, readSettings } from '../service/settings.js';
import { readAccount } from '../service/vault.js';
import { pageBar } from './page-bar.js';
import { languageOf } from '../texts/language-of.js';
import { extensionTextsOf } from '../texts/texts-of.js';
import { accountSection } from './account-section.js';
import { languageSection } from './language-section.js';
import { linksSection } from './links-section.js';
import { serverSection } from './server-section.js';
import { sitesSection } from './sites-section.js';
import { openStatus } from './status.js';

/* The options page: which service, who, in which language, and what was allowed. */

const service = openServiceOfPage();
let shownFor = '';

/** Said after the page was built anew by what was saved. */
const status = openStatus();

async function show(): Promise<void> {
  const [settings, account] = await Promise.all([readSettings(), readAccount()]);
  const now = JSON.stringify([settings, account?.user]);
  if (now === shownFor) return;
  shownFor = now;
  const language = languageOf(settings.language);
  const texts = extensionTextsOf(language);
  document.documentElement.lang = language;
  document.title = `${texts.name}: ${texts.settings}`;
  const context = { service, texts, language, ...status };
  document.body.replaceChildren(
    element('header', { class: 'top' }, pageBar(texts, texts.settings)),
    element(
      'main',
      {},
      ...[status.node, serverSection(context, settings.server)],
      settings.server !== undefined && accountSection(context, account),
      languageSection(context, settings.language),
      sitesSection(context),
      account !== undefined && linksSection(context),
    ),
  );
}

onStored(() => void show());
void show();
