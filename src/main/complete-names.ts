import type { Operator } from '../platform/cli/cli.js';
import type { App } from '../platform/app.js';
import type { Config } from '../platform/config/schema.js';
import type { Page } from '../platform/db/select-page.js';
import type { Candidate } from './complete-words.js';

/** The most names to offer: a shell waits for them, and nobody reads more. */
const page: Page = { page: 1, limit: 200 };

type NamesOf = (app: App, actor: Operator) => Promise<Candidate[]>;

/** The things that commands name, as their help writes them. */
const things: Record<string, NamesOf> = {
  async slug(app) {
    const { listOrganizations } = await import('../tenancy/sites.repository.js');
    return (await listOrganizations(app)).map(({ slug, name }) => ({ value: slug, about: name }));
  },
  async app(app, { organizationId }) {
    const { listApps } = await import('../tenancy/sites.repository.js');
    const apps = await listApps(app, organizationId);
    return apps.map(({ id, name }) => ({ value: name, about: `app ${id}` }));
  },
  async domain(app, { organizationId }) {
    const { listDomains } = await import('../tenancy/sites.repository.js');
    const domains = await listDomains(app, organizationId);
    return domains.map(({ host, appId }) => ({ value: host, about: `of app ${appId}` }));
  },
  async view(app, actor) {
    const { listViewsPage } = await import('../tenancy/manage-views.js');
    const { items } = await listViewsPage(app, actor, page);
    return items.map(({ id, path }) => ({ value: String(id), about: path }));
  },
  async user(app, { organizationId }) {
    const { listUsers } = await import('../accounts/users/accounts.repository.js');
    const users = await listUsers(app, organizationId);
    return users.map(({ email, displayName }) => ({ value: email, about: displayName }));
  },
  async token(app, actor) {
    const { listApiTokens } = await import('../accounts/users/api-tokens.js');
    const { items } = await listApiTokens(app, actor, page);
    return items.map(({ id, name }) => ({ value: String(id), about: name }));
  },
  async provider(app, actor) {
    const { listProviders } = await import('../accounts/sso/manage-providers.js');
    const { items } = await listProviders(app, actor, page);
    return items.map(({ id, name }) => ({ value: name, about: `provider ${id}` }));
  },
  async key(app, actor) {
    const { listWidgetKeys } = await import('../federation/manage-widget-keys.js');
    const { items } = await listWidgetKeys(app, actor, page);
    return items.map(({ key, name }) => ({ value: key, about: name }));
  },
  async batch(app, actor) {
    const { listBatches } = await import('../ingestion/review/list-batches.js');
    const { items } = await listBatches(app, actor, page);
    return items.map(({ id, fileName, status }) => ({
      value: id,
      about: `${status}: ${fileName}`,
    }));
  },
  async entry(app, actor) {
    const { listEntries } = await import('../knowledge/read-entries.js');
    const { items } = await listEntries(app, actor, { ...page, sort: '-updated_at' });
    return items.map(({ uuid, title }) => ({ value: uuid, about: title }));
  },
  async request(app, actor) {
    const { listRequests } = await import('../requests/read-requests.js');
    const { items } = await listRequests(app, actor, page);
    return items.map(({ id, status, question }) => ({
      value: String(id),
      about: `${status}: ${question}`,
    }));
  },
};
const sameThings: Record<string, string> = { organization: 'slug' };

/**
 * Names of records that can complete a word. Empty without a database, or when it needs a migration: pressing a key
 * changes nothing.
 */
export async function completeNames(
  config: Config,
  { thing, slug, text }: { thing: string; slug: string | undefined; text: string },
): Promise<Candidate[]> {
  const namesOf = things[sameThings[thing] ?? thing];
  if (namesOf === undefined) return [];
  const { openApp } = await import('./open-app.js');
  const { requireDatabase } = await import('../platform/db/require-database.js');
  const { listOrganizations } = await import('../tenancy/sites.repository.js');
  requireDatabase(config.database);
  const database = { ...config.database, auto_migrate: false };
  const app = await openApp({ ...config, database, log: { ...config.log, level: 'silent' } });
  try {
    const organizations = await listOrganizations(app);
    const chosen =
      slug === undefined ? organizations[0] : organizations.find((one) => one.slug === slug);
    if (chosen === undefined) return [];
    const names = await namesOf(app, { kind: 'operator', organizationId: chosen.id });
    return names.filter(({ value }) => value.toLowerCase().startsWith(text.toLowerCase()));
  } finally {
    await app.close();
  }
}

/** The names of all settings with their meaning, or the choices of the named setting. */
export async function completeSettings(
  named: string | undefined,
  text: string,
): Promise<Candidate[]> {
  const { listSettings, readMeanings } = await import('../platform/config/settings.js');
  const settings = listSettings();
  const values = settings.find(({ path }) => path === named)?.choices ?? [];
  const meanings = named === undefined ? readMeanings() : undefined;
  const all =
    meanings === undefined
      ? values.map((value) => ({ value, about: '' }))
      : settings.map(({ path }) => ({ value: path, about: meanings.get(path) ?? '' }));
  return all.filter(({ value }) => value.startsWith(text));
}
