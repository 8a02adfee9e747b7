import { z } from 'zod';
import { listSightings, type Sighting } from '../../federation/key-sightings.js';
import { listWidgetKeys } from '../../federation/manage-widget-keys.js';
import type { WidgetKey } from '../../federation/widget-key.js';
import { numberText } from '../../platform/http/paging.js';
import { listAppChoices } from '../../tenancy/app-choices.js';
import { deleteApp, getApp, type SiteApp, updateApp } from '../../tenancy/manage-apps.js';
import {
  claimDomain,
  listDomainsPage,
  moveDomain,
  releaseDomain,
} from '../../tenancy/manage-domains.js';
import { createView, deleteView, listViewsPage, updateView } from '../../tenancy/manage-views.js';
import { idParams, nameText } from '../../tenancy/tenancy.schema.js';
import { Badge } from '../layout/badge.js';
import { domainText } from '../layout/domain-field.js';
import { Nothing } from '../layout/filters.js';
import { Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { action, page } from '../page.js';
import { Domains, Views } from './app-parts.js';
import { Confirm, requireTyped, TypedName } from './confirm.js';
import { SeenLast } from './seen-last.js';
import { AppFields, appForm } from './sites.page.js';

/** As many domains, keys and views as the page shows of an app. */
const most = { page: 1, limit: 200 };

const params = idParams;
const one = z.object({ id: numberText });
const viewForm = { path: z.string().trim().min(1).max(500), title: nameText };

export const appPage = page({
  path: '/sites/apps/:id',
  access: 'administer',
  params,
  query: z.object({ view: numberText.optional().catch(undefined) }),
  async show(app, { actor, params: { id: appId }, query }) {
    const site = await getApp(app, actor, appId);
    const of = { ...most, appId };
    const [domains, views, keys, sightings, apps] = await Promise.all([
      listDomainsPage(app, actor, of),
      listViewsPage(app, actor, of),
      listWidgetKeys(app, actor, of),
      listSightings(app, actor),
      listAppChoices(app, actor),
    ]);
    const others = apps.filter(({ id }) => id !== appId);
    const allowsLocalhost = app.config.widget.allow_localhost;
    const body = (
      <>
        <Head site={site} />
        <Domains domains={domains.items} others={others} allowsLocalhost={allowsLocalhost} />
        <Keys site={site} keys={keys.items} sightings={sightings} />
        <Views views={views.items} edited={views.items.find(({ id }) => id === query.view)} />
        <Settings site={site} />
      </>
    );
    return { title: site.name, section: '/sites', body };
  },
  actions: {
    save: action({
      params,
      form: appForm,
      done: 'saved',
      act: (app, { actor, params: { id }, form }) => updateApp(app, actor, id, form),
    }),
    delete: action({
      params,
      form: z.object({ typed: z.string().max(300) }),
      async act(app, { actor, params: { id }, form }) {
        requireTyped(form.typed, (await getApp(app, actor, id)).name);
        await deleteApp(app, actor, id);
        return { to: '/sites', done: 'deleted' };
      },
    }),
    claim: action({
      params,
      form: z.object({ host: domainText.pipe(z.string().min(1).max(300)) }),
      done: 'domainAdded',
      act: (app, { actor, params: { id: appId }, form }) =>
        claimDomain(app, actor, { ...form, appId }),
    }),
    move: action({
      params,
      form: one.extend({ app_id: numberText }),
      async act(app, { actor, form }) {
        await moveDomain(app, actor, form.id, { appId: form.appId });
        return { to: `/sites/apps/${form.appId}`, done: 'domainMoved' };
      },
    }),
    release: action({
      params,
      form: one,
      done: 'domainReleased',
      act: (app, { actor, form }) => releaseDomain(app, actor, form.id),
    }),
    addView: action({
      params,
      form: z.object(viewForm),
      done: 'saved',
      act: (app, { actor, params: { id: appId }, form }) =>
        createView(app, actor, { ...form, appId }),
    }),
    saveView: action({
      params,
      form: one.extend(viewForm),
      done: 'saved',
      act: (app, { actor, form: { id: viewId, ...given } }) =>
        updateView(app, actor, viewId, given),
    }),
    deleteView: action({
      params,
      form: one,
      done: 'deleted',
      act: (app, { actor, form }) => deleteView(app, actor, form.id),
    }),
  },
});

function Head({ site }: { site: SiteApp }) {
  const { say, at } = useShown();
  return (
    <>
      <p class="above">
        <a href={at('/sites')}>{say.sites.title}</a>
      </p>
      <h1>{site.name}</h1>
    </>
  );
}

function Keys({
  site,
  keys,
  sightings,
}: {
  site: SiteApp;
  keys: WidgetKey[];
  sightings: Sighting[];
}) {
  const { say, at } = useShown();
  const words = say.sites.keys;
  return (
    <section>
      <h2>{words.title}</h2>
      <p class="hint">{words.about}</p>
      {keys.length === 0 ? (
        <Nothing active={false} text={words.none} />
      ) : (
        <Table
          caption={words.title}
          columns={[words.name, say.labels.kind, words.state, say.sites.columns.seen]}
        >
          {keys.map(({ id, name, kind, revokedAt }) => (
            <Row
              key={id}
              name={<a href={at(`/sites/keys/${id}`)}>{name}</a>}
              cells={[
                words.shortKinds[kind],
                revokedAt === null ? (
                  <Badge tone="good" text={words.holds} />
                ) : (
                  <Badge text={words.revoked} />
                ),
                <SeenLast seen={sightings.find(({ keyId }) => keyId === id)} />,
              ]}
            />
          ))}
        </Table>
      )}
      <p>
        <a class="button main" href={at(`/sites/keys/new?app=${site.id}`)}>
          {words.make}
        </a>
      </p>
    </section>
  );
}

function Settings({ site }: { site: SiteApp }) {
  const { say } = useShown();
  const words = say.sites;
  return (
    <section>
      <h2>{words.settings}</h2>
      <Form action="save">
        <AppFields of="save" name={site.name} tier={site.defaultKnowledgeVisibility ?? ''} />
        <button>{say.labels.save}</button>
      </Form>
      <Confirm
        action="delete"
        label={words.deleteApp}
        warning={words.deleteAppWarning}
        button={words.deleteSurely}
      >
        <TypedName of="delete" name={site.name} />
      </Confirm>
    </section>
  );
}
