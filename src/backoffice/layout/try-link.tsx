import type { Visibility } from '../../platform/actor.js';
import { queryText } from './pager.js';
import { useShown } from './shown.js';

interface TryLinkProps {
  question: string;
  url?: string | null | undefined;
  tier?: Visibility | undefined;
  /** The entry that is to be explained, by uuid. */
  entry?: string;
}

/** An address holds no more of a question. */
const longest = 1500;

/** Opens the page that tries a question, with the question filled in. */
export function TryLink({ question, url, tier, entry }: TryLinkProps) {
  const { say, at } = useShown();
  const query = queryText({ question: question.slice(0, longest), url: url ?? '', tier, entry });
  return (
    <a href={at(`/try?${query}`)}>{entry === undefined ? say.trial.link : say.trial.ofEntry}</a>
  );
}
