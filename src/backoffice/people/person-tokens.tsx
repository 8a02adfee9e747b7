import type { ApiToken } from '../../accounts/users/api-tokens.repository.js';
import type { Paged } from '../../platform/db/select-page.js';
import { Badge } from '../layout/badge.js';
import { Field, Form } from '../layout/form.js';
import { useShown } from '../layout/shown.js';
import { Row, Table } from '../layout/table.js';
import { Time } from '../layout/time.js';

/** A person's long-lived tokens, and the form for a new one. */
export function Tokens({ tokens }: { tokens: Paged<ApiToken> }) {
  const { say, fault } = useShown();
  const words = say.people;
  const of = 'mintToken';
  return (
    <section>
      <h2>{words.tokens}</h2>
      <p class="hint">{words.tokensHint}</p>
      {tokens.total === 0 ? (
        <p class="nothing">{words.noTokens}</p>
      ) : (
        <Table
          caption={words.tokens}
          columns={[words.tokenName, words.made, words.lastUsed, words.expires, '']}
        >
          {tokens.items.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </Table>
      )}
      <details class="more" open={fault?.action === of}>
        <summary>{words.makeToken}</summary>
        <Form action={of}>
          <Field of={of} name="name" label={words.tokenName} hint={words.tokenNameHint} required />
          <Field of={of} name="days" label={words.days} hint={words.daysHint} value="90" />
          <button>{words.makeToken}</button>
        </Form>
      </details>
    </section>
  );
}

function TokenRow({ token }: { token: ApiToken }) {
  const { say, now } = useShown();
  const words = say.people;
  const { id, name, createdAt, lastUsedAt, expiresAt, revokedAt } = token;
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= now.getTime();
  return (
    <Row
      name={name}
      cells={[
        <Time iso={createdAt} />,
        lastUsedAt === null ? words.never : <Time iso={lastUsedAt} />,
        expiresAt === null ? words.never : <Time iso={expiresAt} />,
        revokedAt !== null ? (
          <Badge text={words.revoked} />
        ) : isOver ? (
          <Badge text={words.expired} />
        ) : (
          <Form action="revokeToken">
            <input type="hidden" name="token" value={id} />
            <button class="quiet" aria-label={words.revokeOf(name)}>
              {words.revoke}
            </button>
          </Form>
        ),
      ]}
    />
  );
}
