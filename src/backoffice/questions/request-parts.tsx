import type { Requester, RequestStatus } from '../../requests/request.js';
import { Badge, type Tone } from '../layout/badge.js';
import { useShown } from '../layout/shown.js';

const tones: Record<RequestStatus, Tone> = {
  open: 'warning',
  in_progress: 'plain',
  resolved: 'good',
  dismissed: 'plain',
};

export function StatusBadge({ status }: { status: RequestStatus }) {
  const { say } = useShown();
  return <Badge tone={tones[status]} text={say.questions.states[status]} />;
}

/** Who asked, as far as it is known. */
export function Asker({ requester }: { requester: Requester | null }) {
  const { say } = useShown();
  const kinds = say.questions.askers;
  if (requester === null) return <>{kinds.nobody}</>;
  return <>{requester.name ?? kinds[requester.kind]}</>;
}
