import { z } from 'zod';
import { listSightings, type Sighting } from '../../federation/key-sightings.js';
import {
  getWidgetKey,
  renameWidgetKey,
  revokeWidgetKey,
  rotateSecret,
} from '../../federation/manage-widget-keys.js';
import type { WidgetKey } from '../../federation/widget-key.js';
import { getApp, type SiteApp } from '../../tenancy/manage-apps.js';
import { idParams, nameText } from '../../tenancy/tenancy.schema.js';
import { Badge } from '../layout/badge.js';
import { Choice, Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Time } from '../layout/time.js';
import { action, page } from '../page.js';
import { Confirm, requireTyped, TypedName } from './confirm.js';
import { LookFields, lookFields, Preview, type Look } from './look.js';
import { Secret } from './secret.js';
import { snippetOf, SnippetView } from './snippet.js';

const params = idParams;
/** In seconds. */
const overlaps = ['0', '3600', '86400', '604800'] as const;

interface Shown {
  widgetKey: WidgetKey;
  site: SiteApp;
  sightings: Sighting[];
}

export const keyPage = page({
  path: '/sites/keys/:id',
  access: 'administer',
  params,
  query: z.object(lookFields),
  async show(app, { actor, params: { id }, query: look, ctx }) {
    const key = await getWidgetKey(app, actor, id);
    const [site, sightings] = await Promise.all([
      getApp(app, actor, key.appId),
      listSightings(app, actor, { keyId: id }),
    ]);
    const shown = { widgetKey: key, site, sightings };
    if (key.revokedAt !== null) {
      return { title: key.name, section: '/sites', body: <Facts {...shown} /> };
    }
    const snippet = await snippetOf(app, actor, { key, look, ctx });
    const body = (
      <>
        <Facts {...shown} />
        <Seen sightings={sightings} />
        <div class="beside">
          <div>
            <SnippetView snippet={snippet} />
            <LookForm look={look} />
          </div>
          <Preview look={look} />
        </div>
        <Secrets widgetKey={key} />
        <Manage widgetKey={key} />
      </>
    );
    return { title: key.name, section: '/sites', body };
  },
  actions: {
    rename: action({
      params,
      form: z.object({ name: nameText }),
      done: 'saved',
      act: (app, { actor, params: { id }, form }) => renameWidgetKey(app, actor, id, form),
    }),
    rotate: action({
      params,
      form: z.object({ overlap: z.enum(overlaps) }),
      asksPassword: 'lately',
      async act(app, { actor, say, params: { id }, form }) {
        const overlapSeconds = Number(form.overlap);
        const { secret } = await rotateSecret(app, actor, id, { overlapSeconds });
        const title = say.sites.secret.rotated;
        const body = <Secret title={title} secret={secret} next={`/sites/keys/${id}`} />;
        return { title, section: '/sites', isSecret: true, body };
      },
    }),
    revoke: action({
      params,
      form: z.object({ typed: z.string().max(300) }),
      done: 'keyRevoked',
      async act(app, { actor, params: { id }, form }) {
        requireTyped(form.typed, (await getWidgetKey(app, actor, id)).name);
        await revokeWidgetKey(app, actor, id);
      },
    }),
  },
});

function Facts({ widgetKey, site }: Shown) {
  const { say, at } = useShown();
  const words = say.sites.keys;
  const { name, kind, key, createdAt, revokedAt } = widgetKey;
  return (
    <>
      <p class="above">
        <a href={at('/sites')}>{say.sites.title}</a> ›{' '}
        <a href={at(`/sites/apps/${site.id}`)}>{site.name}</a>
      </p>
      <h1>{name}</h1>
      <dl class="facts">
        <div>
          <dt>{words.state}</dt>
          <dd>
            {revokedAt === null ? (
              <Badge tone="good" text={words.holds} />
            ) : (
              <>
                <Badge text={words.revoked} /> <Time iso={revokedAt} />
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>{say.labels.kind}</dt>
          <dd>{words.kinds[kind]}</dd>
        </div>
        <div>
          <dt>{words.key}</dt>
          <dd>
            <code class="untrusted">{key}</code>
          </dd>
        </div>
        <div>
          <dt>{words.made}</dt>
          <dd>
            <Time iso={createdAt} />
          </dd>
        </div>
      </dl>
    </>
  );
}

/** On which hosts a page with the key was seen. */
function Seen({ sightings }: { sightings: Sighting[] }) {
  const { say } = useShown();
  const words = say.sites.keys;
  return (
    <section>
      <h2>{words.seen}</h2>
      {sightings.length === 0 ? (
        <p class="nothing">{words.notSeen}</p>
      ) : (
        <>
          <ul class="waiting">
            {sightings.map(({ host, seenAt }) => (
              <li key={host}>
                {words.seenOn(host)}, <Time iso={seenAt} />
              </li>
            ))}
          </ul>
          <p class="hint">{words.seenHint}</p>
        </>
      )}
    </section>
  );
}

/** A form whose result is an address: nothing of it is stored. */
function LookForm({ look }: { look: Look }) {
  const { say, at, path } = useShown();
  const words = say.sites.look;
  return (
    <details class="panel">
      <summary>
        <h2>{words.title}</h2>
      </summary>
      <form method="get" action={at(path)} class="form" data-look="">
        <p class="hint">{words.about}</p>
        <LookFields of="look" look={look} />
        <p>
          <button>{words.update}</button>
        </p>
      </form>
    </details>
  );
}

function Secrets({ widgetKey: { secrets } }: Pick<Shown, 'widgetKey'>) {
  const { say } = useShown();
  const words = say.sites.keys;
  return (
    <section>
      <h2>{words.secrets}</h2>
      <p class="hint">{words.secretsHint}</p>
      <ul class="waiting">
        {secrets.map(({ id, createdAt, expiresAt }) => (
          <li key={id}>
            {words.secretSince} <Time iso={createdAt} />
            {expiresAt === null ? null : (
              <>
                {' '}
                {words.secretUntil} <Time iso={expiresAt} />
              </>
            )}
          </li>
        ))}
      </ul>
      <Form action="rotate">
        <Choice
          of="rotate"
          name="overlap"
          label={words.overlap}
          value="86400"
          options={overlaps.map((one) => [one, words.overlaps[one]] as const)}
        />
        <button>{words.rotate}</button>
      </Form>
    </section>
  );
}

function Manage({ widgetKey: { name } }: Pick<Shown, 'widgetKey'>) {
  const { say } = useShown();
  const words = say.sites.keys;
  return (
    <section>
      <h2>{words.rename}</h2>
      <Form action="rename">
        <Field
          of="rename"
          name="name"
          label={words.name}
          hint={words.nameHint}
          value={name}
          required
        />
        <button>{words.renameButton}</button>
      </Form>
      <Confirm
        action="revoke"
        label={words.revoke}
        warning={words.revokeWarning}
        button={words.revokeSurely}
      >
        <TypedName of="revoke" name={name} />
      </Confirm>
    </section>
  );
}
