import { Badge } from './badge.js';
import { useShown } from './shown.js';

/** Marks a topic that grows. */
export function Growing({ is }: { is: boolean }) {
  const { say } = useShown();
  return is ? <Badge tone="warning" text={say.topics.growing} /> : null;
}
