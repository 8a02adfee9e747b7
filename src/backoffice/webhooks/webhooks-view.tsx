import type { Delivery } from '../../notifications/notification.js';
import type { TestDelivery } from '../../notifications/send-test-delivery.js';
import type { Webhook } from '../../notifications/webhooks.repository.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Badge } from '../layout/badge.js';
import { DeleteForm } from '../layout/delete-form.js';
import { Field, Form } from '../layout/form.js';
import { Pager } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';
import { DeliveryTable } from './deliveries-view.js';

export function Webhooks({ page, listed }: { page: number; listed: Paged<Webhook> }) {
  const { say, at } = useShown();
  const words = say.webhooks;
  const of = 'create';
  return (
    <>
      <div class="head">
        <h1>{words.title}</h1>
        <a class="button" href={at('/deliveries')}>
          {words.deliveries}
        </a>
      </div>
      <p class="hint">{words.about}</p>
      {listed.items.length === 0 ? (
        <p class="nothing">{words.none}</p>
      ) : (
        <Table
          caption={words.title}
          columns={[say.labels.address, say.labels.state, say.labels.since]}
        >
          {listed.items.map((webhook) => (
            <Row
              key={webhook.id}
              name={<a href={at(`/webhooks/${webhook.id}`)}>{webhook.url}</a>}
              cells={[<StateBadge webhook={webhook} />, <Time iso={webhook.createdAt} />]}
            />
          ))}
        </Table>
      )}
      <Pager page={page} total={listed.total} query={{}} />
      <section>
        <h2>{words.add}</h2>
        <Form action={of}>
          <Field of={of} name="url" label={say.labels.address} hint={words.urlHint} required />
          <button class="main">{words.add}</button>
        </Form>
      </section>
    </>
  );
}

function StateBadge({ webhook }: { webhook: Webhook }) {
  const { active, disabled } = useShown().say.webhooks.states;
  if (webhook.disabled) return <Badge tone="warning" text={disabled} />;
  return <Badge tone="good" text={active} />;
}

interface WebhookProps {
  webhook: Webhook;
  /** The last ones to it. */
  deliveries: Paged<Delivery>;
  /** Set after a test. */
  tried?: TestDelivery;
}

export function WebhookPage({ webhook, deliveries, tried }: WebhookProps) {
  const { say, at } = useShown();
  const words = say.webhooks;
  return (
    <>
      <p class="above">
        <a href={at('/webhooks')}>{words.title}</a>
      </p>
      <h1>{webhook.url}</h1>
      {tried === undefined ? null : <Tried tried={tried} />}
      <div class="beside">
        <div>
          <dl class="facts">
            <dt>{say.labels.state}</dt>
            <dd>
              <StateBadge webhook={webhook} />
            </dd>
            <dt>{say.labels.since}</dt>
            <dd>
              <Time iso={webhook.createdAt} />
            </dd>
          </dl>
          <Form action="test">
            <p class="hint">{words.testHint}</p>
            <button>{words.test}</button>
          </Form>
          <h2>{words.lastDeliveries}</h2>
          {deliveries.total === 0 ? (
            <p class="nothing">{words.noDeliveries}</p>
          ) : (
            <DeliveryTable deliveries={deliveries.items} isOfOne />
          )}
        </div>
        <Settings webhook={webhook} />
      </div>
    </>
  );
}

function Tried({ tried: { delivered, answerStatus, error } }: { tried: TestDelivery }) {
  const { testDelivered } = useShown().say.webhooks;
  return delivered ? (
    <p class="done" role="status">
      {testDelivered(answerStatus ?? 0)}
    </p>
  ) : (
    <p class="fault" role="alert" lang="en">
      {error}
    </p>
  );
}

function Settings({ webhook }: { webhook: Webhook }) {
  const { say } = useShown();
  const words = say.webhooks;
  const of = 'save';
  return (
    <div>
      <section class="card">
        <h2>{say.labels.address}</h2>
        <Form action={of}>
          <Field of={of} name="url" label={say.labels.address} value={webhook.url} required />
          <button class="main">{say.labels.save}</button>
        </Form>
      </section>
      <section class="card">
        <h2>{words.secret}</h2>
        <Form action="rotate">
          <p class="hint">{words.rotateHint}</p>
          <button>{words.rotate}</button>
        </Form>
      </section>
      <section class="card">
        <h2>{words.end}</h2>
        <Form action={webhook.disabled ? 'enable' : 'disable'}>
          <p class="hint">{webhook.disabled ? words.enableHint : words.disableHint}</p>
          <button>{webhook.disabled ? words.enable : words.disable}</button>
        </Form>
        <DeleteForm words={words} />
      </section>
    </div>
  );
}
