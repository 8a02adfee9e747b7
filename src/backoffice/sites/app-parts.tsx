import type { SiteApp } from '../../tenancy/manage-apps.js';
import type { Domain } from '../../tenancy/manage-domains.js';
import type { View } from '../../tenancy/manage-views.js';
import { Nothing } from '../layout/filters.js';
import { Choice, Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { Confirm } from './confirm.js';

interface DomainsProps {
  domains: Domain[];
  /** The other apps of the organization. */
  others: Pick<SiteApp, 'id' | 'name'>[];
  allowsLocalhost: boolean;
}

/** The domains of an app: add, move to another app, release. */
export function Domains({ domains, others, allowsLocalhost }: DomainsProps) {
  const { say } = useShown();
  const words = say.sites.domains;
  return (
    <section>
      <h2>{words.title}</h2>
      <p class="hint">{words.about}</p>
      {allowsLocalhost ? <p class="hint">{words.localhost}</p> : null}
      {domains.length === 0 ? (
        <Nothing active={false} text={words.none} />
      ) : (
        <Table caption={words.title} columns={[say.labels.domain, say.labels.since, '']}>
          {domains.map(({ id, host, createdAt }) => (
            <Row
              key={id}
              name={host}
              cells={[<Time iso={createdAt} />, <Release key={id} id={id} host={host} />]}
            />
          ))}
        </Table>
      )}
      <div class="columns pair">
        <Form action="claim">
          <Field
            of="claim"
            name="host"
            label={say.labels.addDomain}
            hint={words.hostHint}
            required
          />
          <button>{words.claim}</button>
        </Form>
        {domains.length === 0 || others.length === 0 ? null : (
          <Move domains={domains} others={others} />
        )}
      </div>
    </section>
  );
}

function Release({ id, host }: Pick<Domain, 'id' | 'host'>) {
  const { say } = useShown();
  const words = say.sites.domains;
  return (
    <Confirm
      action="release"
      label={words.release}
      whole={words.releaseOf(host)}
      warning={words.releaseWarning}
      button={words.releaseSurely}
    >
      <input type="hidden" name="id" value={id} />
    </Confirm>
  );
}

function Move({ domains, others }: Pick<DomainsProps, 'domains' | 'others'>) {
  const { say } = useShown();
  const words = say.sites.domains;
  const of = 'move';
  return (
    <Form action={of}>
      <Choice
        of={of}
        name="id"
        label={words.move}
        hint={words.moveHint}
        value=""
        options={domains.map(({ id, host }) => [String(id), host] as const)}
      />
      <Choice
        of={of}
        name="app_id"
        label={words.to}
        value=""
        options={others.map(({ id, name }) => [String(id), name] as const)}
      />
      <button>{words.moveButton}</button>
    </Form>
  );
}

/** The views of an app: add, edit, delete. */
export function Views({ views, edited }: { views: View[]; edited: View | undefined }) {
  const { say, at, path, fault } = useShown();
  const words = say.sites.views;
  return (
    <details class="panel" open={views.length > 0 || fault?.action === 'addView'}>
      <summary>
        <h2>{words.title}</h2>
      </summary>
      <div>
        <p class="hint">{words.about}</p>
        {views.length === 0 ? (
          <Nothing active={false} text={words.none} />
        ) : (
          <Table caption={words.title} columns={[words.path, say.labels.title, '', '']}>
            {views.map(({ id, path: pattern, title }) => (
              <Row
                key={id}
                name={<code>{pattern}</code>}
                cells={[
                  title,
                  <a href={at(`${path}?view=${id}#view`)} aria-label={words.editOf(pattern)}>
                    {say.labels.edit}
                  </a>,
                  <Confirm
                    action="deleteView"
                    label={say.labels.delete}
                    whole={words.deleteOf(pattern)}
                    warning={words.deleteWarning}
                    button={words.deleteSurely}
                  >
                    <input type="hidden" name="id" value={id} />
                  </Confirm>,
                ]}
              />
            ))}
          </Table>
        )}
        <ViewForm edited={edited} />
      </div>
    </details>
  );
}

function ViewForm({ edited }: { edited: View | undefined }) {
  const { say, at, path } = useShown();
  const words = say.sites.views;
  const of = edited === undefined ? 'addView' : 'saveView';
  const to = edited === undefined ? {} : { to: `${path}?view=${edited.id}` };
  return (
    <div id="view">
      <h3>{edited === undefined ? words.add : words.editTitle}</h3>
      <Form action={of} {...to}>
        {edited === undefined ? null : <input type="hidden" name="id" value={edited.id} />}
        <Field
          of={of}
          name="path"
          label={words.path}
          hint={words.pathHint}
          value={edited?.path}
          required
        />
        <Field of={of} name="title" label={say.labels.title} value={edited?.title} required />
        <p class="buttons">
          <button>{edited === undefined ? words.addButton : say.labels.save}</button>
          {edited === undefined ? null : <a href={at(path)}>{say.labels.cancel}</a>}
        </p>
      </Form>
    </div>
  );
}
