import type { ComponentChild } from 'preact';
import { z } from 'zod';
import { listSightings, type Sighting } from '../../federation/key-sightings.js';
import { listWidgetKeys } from '../../federation/manage-widget-keys.js';
import type { WidgetKey } from '../../federation/widget-key.js';
import { visibilities, type Actor } from '../../platform/actor.js';
import type { App } from '../../platform/app.js';
import type { Paged } from '../../platform/db/select-page.js';
import { createApp, listAppsPage, type SiteApp } from '../../tenancy/manage-apps.js';
import { type Domain, listDomainsPage } from '../../tenancy/manage-domains.js';
import { nameText } from '../../tenancy/tenancy.schema.js';
import { Nothing } from '../layout/filters.js';
import { Choice, Field, Form } from '../layout/form.js';
import { Pager, pageNumber, rowsPerPage } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { action, page } from '../page.js';
import { SeenLast } from './seen-last.js';

/** As many domains and keys of an app as a row of the list shows. */
const shown = 3;

/** Fields of an app. The empty choice follows the product's default. */
export const appForm = z.object({
  name: nameText,
  default_knowledge_visibility: z
    .union([z.enum(visibilities), z.literal('').transform(() => null)])
    .default(null),
});

interface AppRow {
  site: SiteApp;
  domains: Paged<Domain>;
  keys: Paged<WidgetKey>;
  seen: Sighting | undefined;
}

export const sitesPage = page({
  path: '/sites',
  access: 'administer',
  query: z.object({ page: pageNumber }),
  async show(app, { actor, say, query }) {
    const { items, total } = await listAppsPage(app, actor, { ...query, limit: rowsPerPage });
    const sightings = await listSightings(app, actor);
    const rows = await Promise.all(items.map((site) => rowOf(app, actor, site, sightings)));
    const list = { ...query, total };
    return {
      title: say.sites.title,
      list,
      body: <Sites rows={rows} total={total} page={query.page} />,
    };
  },
  actions: {
    create: action({
      form: appForm,
      async act(app, { actor, form }) {
        const { id } = await createApp(app, actor, form);
        return { to: `/sites/apps/${id}`, done: 'appMade' };
      },
    }),
  },
});

async function rowOf(
  app: App,
  actor: Actor,
  site: SiteApp,
  sightings: Sighting[],
): Promise<AppRow> {
  const of = { appId: site.id, page: 1 };
  const [domains, keys] = await Promise.all([
    listDomainsPage(app, actor, { ...of, limit: shown }),
    listWidgetKeys(app, actor, { ...of, limit: 100 }),
  ]);
  const items = keys.items.filter(({ revokedAt }) => revokedAt === null);
  const seen = sightings.find(({ keyId }) => items.some(({ id }) => id === keyId));
  return { site, domains, keys: { items, total: items.length }, seen };
}

function Sites({ rows, total, page }: { rows: AppRow[]; total: number; page: number }) {
  const { say } = useShown();
  const words = say.sites;
  const { app, domains, keys, seen } = words.columns;
  return (
    <>
      <h1>{words.title}</h1>
      <p>{words.about}</p>
      {rows.length === 0 ? (
        <Nothing active={false} text={words.noApps} />
      ) : (
        <Table caption={words.apps} columns={[app, domains, keys, seen]}>
          {rows.map((row) => (
            <AppLine key={row.site.id} {...row} />
          ))}
        </Table>
      )}
      <Pager page={page} total={total} query={{}} />
      <section>
        <h2>{words.newApp}</h2>
        <Form action="create">
          <AppFields of="create" name="" tier="" />
          <button class="main">{words.create}</button>
        </Form>
      </section>
    </>
  );
}

function AppLine({ site, domains, keys, seen }: AppRow) {
  const { at } = useShown();
  return (
    <Row
      name={<a href={at(`/sites/apps/${site.id}`)}>{site.name}</a>}
      cells={[
        <Few total={domains.total} texts={domains.items.map(({ host }) => host)} />,
        <Few
          total={keys.total}
          texts={keys.items.map(({ id, name }) => (
            <a href={at(`/sites/keys/${id}`)}>{name}</a>
          ))}
        />,
        <SeenLast seen={seen} />,
      ]}
    />
  );
}

/** The first ones of a list, and how many there are besides. */
function Few({ texts, total }: { texts: ComponentChild[]; total: number }) {
  const { say, format } = useShown();
  if (total === 0) return <span class="hint">{say.sites.none}</span>;
  return (
    <>
      {texts.slice(0, shown).map((text, index) => (
        <div key={index} class="few">
          {text}
        </div>
      ))}
      {total > shown ? (
        <div class="hint">{say.labels.andMore(format.number(total - shown))}</div>
      ) : null}
    </>
  );
}

export function AppFields({ of, name, tier }: { of: string; name: string; tier: string }) {
  const { say } = useShown();
  const words = say.sites;
  return (
    <>
      <Field
        of={of}
        name="name"
        label={say.labels.name}
        hint={words.appNameHint}
        value={name}
        required
      />
      <Choice
        of={of}
        name="default_knowledge_visibility"
        label={words.tier}
        value={tier}
        hint={words.tierHint}
        options={[
          ['', words.tierDefault],
          ...visibilities
            .filter((one) => one !== 'public')
            .map((one) => [one, say.tiers[one]] as const),
        ]}
      />
    </>
  );
}
