import { button, element } from '../../../chat/dom/element.js';
import { openServiceOfPage } from '../service/open-service.js';
import { changeSettings, onStored, readSettings, type Settings } from '../service/settings.js';
import { readAccount } from '../service/vault.js';
import { languageOf } from '../texts/language-of.js';
import { extensionTextsOf } from '../texts/texts-of.js';
import { forgetSite, grantedSites, isFixed } from '../worker/sites.js';
import { accountSection } from './account-section.js';
import { linksSection } from './links-section.js';
import { openStatus, type OptionsContext } from './options-context.js';
import { pageBar } from './page-bar.js';
import { serverSection } from './server-section.js';

/* The options page: service, account, language, and permissions. */

/** Each language in its own name, so that everybody finds theirs. */
const names = { en: 'English', es: 'Español', de: 'Deutsch' };

const service = openServiceOfPage();
let shownFor = '';

/** Shown after a saved change has rebuilt the page. */
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
      status.node,
      serverSection(context, settings.server),
      settings.server !== undefined && accountSection(context, account),
      languageSection(context, settings.language),
      sitesSection(context),
      account !== undefined && linksSection(context),
    ),
  );
}

onStored(() => void show());
void show();

function languageSection(
  { texts, say }: OptionsContext,
  chosen: Settings['language'],
): HTMLElement {
  const option = (value: string, name: string) =>
    element('option', { value, selected: value === chosen }, name);
  const select = element(
    'select',
    {},
    option('auto', texts.languageAuto),
    ...Object.entries(names).map(([value, name]) => option(value, name)),
  );
  select.addEventListener('change', () => {
    say('');
    void changeSettings({ language: select.value as Settings['language'] });
  });
  return element(
    'section',
    {},
    element('h2', {}, texts.language),
    element('label', {}, element('span', { class: 'sr' }, texts.language), select),
  );
}

/** The sites that the extension may see, each with a button to remove it if the user may. */
function sitesSection({ texts }: OptionsContext): HTMLElement {
  const list = element('div', {});
  async function fill(): Promise<void> {
    const sites = await grantedSites();
    const row = (pattern: string) => {
      const site = pattern.replace(/\/\*$/, '');
      const name = element('span', {}, site);
      if (isFixed(pattern)) return element('li', {}, name, element('small', {}, texts.fixedSite));
      const remove = button('', () => void forgetSite(pattern).catch(fill), [texts.forget]);
      remove.ariaLabel = texts.forgetSite(site);
      return element('li', {}, name, remove);
    };
    list.replaceChildren(
      sites.length === 0
        ? element('p', {}, texts.noSites)
        : element('ul', { class: 'rows' }, ...sites.map(row)),
    );
  }
  void fill();
  for (const change of [chrome.permissions.onAdded, chrome.permissions.onRemoved]) {
    change.addListener(() => void fill());
  }
  return element(
    'section',
    {},
    element('h2', {}, texts.sites),
    element('p', { class: 'muted' }, texts.sitesNote),
    list,
  );
}
