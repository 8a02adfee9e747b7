import type { User } from '../../accounts/users/accounts.repository.js';
import type { ApiToken } from '../../accounts/users/api-tokens.repository.js';
import { minimumPasswordLength } from '../../accounts/users/create-user.js';
import type { DescribedLink } from '../../federation/account-links.repository.js';
import { roles } from '../../platform/actor.js';
import type { Paged } from '../../platform/db/select-page.js';
import type { QuotaState } from '../../usage/manage-quotas.js';
import { Choice, Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { QuotaUse } from '../layout/units.js';
import { NewPasswordField, personName, StateBadge } from './person-parts.js';
import { Tokens } from './person-tokens.js';

interface PersonProps {
  user: User;
  hasFactor: boolean;
  tokens: Paged<ApiToken>;
  links: Paged<DescribedLink>;
  quota: QuotaState;
}

export function Person({ user, hasFactor, tokens, links, quota }: PersonProps) {
  const { say, at } = useShown();
  return (
    <>
      <p class="above">
        <a href={at('/people')}>{say.people.title}</a>
      </p>
      <h1>{personName(user)}</h1>
      <div class="beside">
        <div>
          <Account user={user} hasFactor={hasFactor} />
          <Tokens tokens={tokens} />
          <Links links={links} />
        </div>
        <div>
          <Edit user={user} />
          <Quota quota={quota} />
          <Access user={user} hasFactor={hasFactor} />
        </div>
      </div>
    </>
  );
}

function Account({ user, hasFactor }: { user: User; hasFactor: boolean }) {
  const { say } = useShown();
  const words = say.people;
  return (
    <dl class="facts">
      <dt>{say.labels.email}</dt>
      <dd>{user.email}</dd>
      <dt>{words.role}</dt>
      <dd>{say.roles[user.role]}</dd>
      <dt>{say.labels.state}</dt>
      <dd>
        <StateBadge user={user} />
      </dd>
      <dt>{words.lastSeen}</dt>
      <dd>{user.lastSeenAt === null ? words.never : <Time iso={user.lastSeenAt} />}</dd>
      <dt>{say.labels.since}</dt>
      <dd>
        <Time iso={user.createdAt} />
      </dd>
      <dt>{words.factor}</dt>
      <dd>{hasFactor ? say.labels.setUp : words.factorOff}</dd>
    </dl>
  );
}

function Edit({ user }: { user: User }) {
  const { say } = useShown();
  const words = say.people;
  const of = 'save';
  return (
    <section class="card">
      <h2>{words.account}</h2>
      <Form action={of}>
        <Field of={of} name="display_name" label={say.labels.name} value={user.displayName} />
        <Field
          of={of}
          name="email"
          label={say.labels.email}
          type="email"
          value={user.email}
          required
        />
        <Choice
          of={of}
          name="role"
          label={words.role}
          hint={words.roleHint}
          value={user.role}
          options={roles.map((role) => [role, say.roles[role]] as const)}
        />
        <button class="main">{say.labels.save}</button>
      </Form>
    </section>
  );
}

function Quota({ quota }: { quota: QuotaState }) {
  const { say } = useShown();
  const words = say.usage;
  const of = 'setQuota';
  const { unitsPerMonth } = quota;
  return (
    <section class="card">
      <h2>{words.quota}</h2>
      <p>
        <QuotaUse quota={quota} />
      </p>
      <Form action={of}>
        <Field
          of={of}
          name="units"
          label={words.unitsPerMonth}
          hint={words.unitsHint}
          value={unitsPerMonth === null ? '' : String(unitsPerMonth)}
        />
        <button>{words.setQuota}</button>
      </Form>
    </section>
  );
}

/** The buttons that take access away or open it again. */
function Access({ user, hasFactor }: { user: User; hasFactor: boolean }) {
  const { say, at, fault } = useShown();
  const words = say.people;
  const of = 'resetPassword';
  return (
    <section class="card">
      <h2>{words.access}</h2>
      <Form action={user.disabled ? 'enable' : 'disable'}>
        <p class="hint">{user.disabled ? words.enableHint : words.disableHint}</p>
        <button>{user.disabled ? words.enable : words.disable}</button>
      </Form>
      <details class="more" open={fault?.action === of}>
        <summary>{words.resetPassword}</summary>
        <Form action={of}>
          <NewPasswordField of={of} hint={words.resetHint(minimumPasswordLength)} />
          <button>{words.resetPassword}</button>
        </Form>
      </details>
      {hasFactor ? (
        <details class="more" open={fault?.action === 'resetFactor'}>
          <summary>{say.labels.removeFactor}</summary>
          <Form action="resetFactor">
            <p class="hint">{words.resetFactorHint}</p>
            <button>{say.labels.removeFactor}</button>
          </Form>
        </details>
      ) : null}
      <p>
        <a href={at(`/people/data?person=user:${user.id}`)}>{words.data.ofPerson}</a>
      </p>
    </section>
  );
}

function Links({ links }: { links: Paged<DescribedLink> }) {
  const { say } = useShown();
  const words = say.people;
  return (
    <section>
      <h2>{words.links}</h2>
      <p class="hint">{words.linksHint}</p>
      {links.total === 0 ? (
        <p class="nothing">{words.noLinks}</p>
      ) : (
        <Table
          caption={words.links}
          columns={[words.site, words.calledThere, say.labels.since, '']}
        >
          {links.items.map((link) => (
            <Row
              key={link.id}
              name={link.appName}
              cells={[
                link.displayName ?? link.email ?? link.externalId,
                <Time iso={link.createdAt} />,
                <Form action="endLink">
                  <input type="hidden" name="app" value={link.appId} />
                  <button class="quiet" aria-label={words.endLinkOf(link.appName)}>
                    {say.labels.end}
                  </button>
                </Form>,
              ]}
            />
          ))}
        </Table>
      )}
    </section>
  );
}
