import type { AppError } from '../../platform/errors.js';
import { Refusal } from './refusal.js';
import { useShown } from './shown.js';

/** The page of a refused request: what happened, what to do, and the id to ask an admin about. */
export function FaultPage({
  title,
  error,
  requestId,
}: {
  title: string;
  error: AppError;
  requestId: string;
}) {
  const { say, at } = useShown();
  return (
    <section class="fault-page">
      <h1>{title}</h1>
      <p>
        <Refusal of={error} />
      </p>
      <p class="hint">
        {error.code} · {say.fault.requestId} <code>{requestId}</code>
      </p>
      <p>
        <a href={at('/')}>{say.fault.back}</a>
      </p>
    </section>
  );
}
