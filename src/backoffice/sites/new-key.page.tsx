import { z } from 'zod';
import { createWidgetKey } from '../../federation/manage-widget-keys.js';
import { widgetKeyKinds } from '../../platform/actor.js';
import { numberText } from '../../platform/http/paging.js';
import { listAppChoices } from '../../tenancy/app-choices.js';
import type { SiteApp } from '../../tenancy/manage-apps.js';
import { nameText } from '../../tenancy/tenancy.schema.js';
import { Choice, Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { action, page } from '../page.js';
import { LookFields, lookFields, lookQuery, Preview, usualLook, type Look } from './look.js';
import { Secret } from './secret.js';
import { snippetOf, SnippetView } from './snippet.js';

export const newKeyPage = page({
  path: '/sites/keys/new',
  access: 'administer',
  query: z.object({ app: numberText.optional().catch(undefined) }),
  async show(app, { actor, say, query, fault }) {
    const apps = await listAppChoices(app, actor);
    if (apps.length === 0) return { to: '/sites' };
    const look = fault === undefined ? usualLook : z.object(lookFields).parse(fault.values);
    const body = <NewKey apps={apps} look={look} appId={query.app} />;
    return { title: say.sites.keys.make, section: '/sites', body };
  },
  actions: {
    make: action({
      form: z.object({
        name: nameText,
        app_id: numberText,
        kind: z.enum(widgetKeyKinds),
        ...lookFields,
      }),
      asksPassword: 'lately',
      async act(app, { actor, say, ctx, form }) {
        const { name, appId, kind, ...look } = form;
        const { key, secret } = await createWidgetKey(app, actor, { name, appId, kind });
        const snippet = await snippetOf(app, actor, { key, look, ctx });
        const query = lookQuery(look);
        const { title } = say.sites.secret;
        const next = `/sites/keys/${key.id}${query === '' ? '' : `?${query}`}`;
        const body = (
          <Secret title={title} secret={secret} next={next} isPublic={kind === 'public'}>
            <SnippetView snippet={snippet} />
          </Secret>
        );
        return { title, section: '/sites', isSecret: true, body };
      },
    }),
  },
});

interface NewKeyProps {
  apps: Pick<SiteApp, 'id' | 'name'>[];
  look: Look;
  appId: number | undefined;
}

function NewKey({ apps, look, appId }: NewKeyProps) {
  const { say, at } = useShown();
  const words = say.sites.keys;
  const of = 'make';
  return (
    <>
      <p class="above">
        <a href={at('/sites')}>{say.sites.title}</a>
      </p>
      <h1>{words.make}</h1>
      <p>{words.makeAbout}</p>
      <div class="beside">
        <Form action={of} data-look="">
          <Field of={of} name="name" label={words.name} hint={words.nameHint} required />
          <Choice
            of={of}
            name="app_id"
            label={say.labels.app}
            value={String(appId ?? '')}
            options={apps.map(({ id, name }) => [String(id), name] as const)}
          />
          <Choice
            of={of}
            name="kind"
            label={say.labels.kind}
            hint={words.kindHint}
            value="public"
            options={widgetKeyKinds.map((one) => [one, words.kinds[one]] as const)}
          />
          <h2>{say.sites.look.title}</h2>
          <LookFields of={of} look={look} />
          <p>
            <button class="main">{words.make}</button>
          </p>
        </Form>
        <Preview look={look} />
      </div>
    </>
  );
}
