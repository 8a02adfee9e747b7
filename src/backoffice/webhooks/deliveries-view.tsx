import {
  deliveryChannels,
  deliveryStatuses,
  type Delivery,
  type DeliveryChannel,
  type DeliveryStatus,
} from '../../notifications/notification.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Badge, type Tone } from '../layout/badge.js';
import { Filters, Nothing } from '../layout/filters.js';
import { Choice, Form } from '../layout/form.js';
import { Pager } from '../layout/pager.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';

interface DeliveriesProps {
  query: { status: DeliveryStatus | ''; channel: DeliveryChannel | ''; page: number };
  listed: Paged<Delivery>;
}

export function Deliveries({ query, listed }: DeliveriesProps) {
  const { say, at } = useShown();
  const words = say.webhooks;
  const { page, ...filter } = query;
  const active = Object.values(filter).some((one) => one !== '');
  const of = 'filter';
  return (
    <>
      <p class="above">
        <a href={at('/webhooks')}>{words.title}</a>
      </p>
      <h1>{words.deliveries}</h1>
      <p class="hint">{words.deliveriesAbout}</p>
      <Filters active={active}>
        <Choice
          of={of}
          name="status"
          label={say.labels.state}
          value={filter.status}
          options={[
            ['', say.list.all],
            ...deliveryStatuses.map((one) => [one, words.statuses[one]] as const),
          ]}
        />
        <Choice
          of={of}
          name="channel"
          label={words.channel}
          value={filter.channel}
          options={[
            ['', say.list.all],
            ...deliveryChannels.map((one) => [one, words.channels[one]] as const),
          ]}
        />
      </Filters>
      {listed.items.length === 0 ? (
        <Nothing active={active} text={words.noDeliveries} />
      ) : (
        <DeliveryTable deliveries={listed.items} />
      )}
      <Pager page={page} total={listed.total} query={filter} />
    </>
  );
}

const tones: Record<DeliveryStatus, Tone> = { pending: 'plain', delivered: 'good', dead: 'bad' };

interface TableProps {
  deliveries: readonly Delivery[];
  /** True where all of them went to the webhook of the page. */
  isOfOne?: boolean;
}

export function DeliveryTable({ deliveries, isOfOne = false }: TableProps) {
  const { say } = useShown();
  const words = say.webhooks;
  const to = isOfOne ? [] : [words.to];
  const columns = [words.about1, say.labels.state, ...to, words.attempts, words.last, ''];
  return (
    <Table caption={words.deliveries} columns={columns}>
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} isOfOne={isOfOne} />
      ))}
    </Table>
  );
}

function DeliveryRow({ delivery, isOfOne }: { delivery: Delivery; isOfOne: boolean }) {
  const { say, at, format } = useShown();
  const words = say.webhooks;
  const { id, channel, target, status, payload, attempts, answerStatus, lastError } = delivery;
  const { requestId, question } = payload.request;
  const isWebhook = channel === 'webhook';
  const to = isWebhook ? <a href={at(`/webhooks/${target}`)}>{words.webhook(target)}</a> : target;
  return (
    <Row
      name={requestId === null ? question : <a href={at(`/questions/${requestId}`)}>{question}</a>}
      cells={[
        <Badge tone={tones[status]} text={words.statuses[status]} />,
        ...(isOfOne ? [] : [to]),
        format.number(attempts),
        <>
          <Time iso={delivery.deliveredAt ?? delivery.updatedAt} />
          {answerStatus === null || lastError !== null
            ? null
            : ` · ${words.answered(answerStatus)}`}
          {lastError === null ? null : (
            <p class="problem" lang="en">
              {lastError}
            </p>
          )}
          {status !== 'pending' || attempts === 0 ? null : (
            <p class="hint">
              {words.nextAttempt} <Time iso={delivery.notBefore} />
            </p>
          )}
        </>,
        status === 'delivered' ? null : (
          <Form action="retry" to="/deliveries">
            <input type="hidden" name="id" value={id} />
            <button class="quiet" aria-label={words.retryOf(id)}>
              {words.retry}
            </button>
          </Form>
        ),
      ]}
    />
  );
}
