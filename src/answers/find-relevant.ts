import type { App } from '../platform/app.js';
import type { FoundPassage } from '../search/search-passages.js';
import { asksForChange, settingsIn } from '../language/answer-kinds.js';
import {
  findLikely,
  type Around,
  type Likely,
  type OneQuestion,
  type Quotable,
} from './find-likely.js';
import { questionsIn, topicOf } from './find-topic.js';
import { readFollowUp, mayBeFollowUp, refersByPosition } from './follow-up.js';
import { isNotFound } from './answer.js';
import { smallTalkIn, type SmallTalk } from './small-talk.js';

export interface RelevantKnowledge extends Omit<Likely, 'kind' | 'weighed'> {
  /** The small talk of the message, if it is small talk. */
  talk: SmallTalk | undefined;
  /** The quotable material for each question of the message. */
  quotable: Quotable[];
  /** Questions of the message without an answer, if others have one. */
  unanswered: string[];
}

interface Asked extends Around {
  text: string;
}

/** The share of a message's own words that a passage must contain if it contains nothing of the message's context. */
const nearlyAll = 0.75;
/** The characters of an answer that a message may refer to. */
const longestSaid = 300;
const citationMark = /\[\d{1,3}\]/g;

/** The knowledge in scope that is relevant to a message. Each question of the message is searched separately. */
export async function findRelevant(app: App, asked: Asked): Promise<RelevantKnowledge> {
  const talk = smallTalkIn(asked.text);
  const isTalk = (message: string) =>
    (message === asked.text ? talk : smallTalkIn(message)) !== undefined;
  const questions = questionsIn(asked.text).map((message) => ({
    message,
    isTalk: isTalk(message),
  }));
  const found = await Promise.all(questions.map((question) => findForOne(app, asked, question)));
  const [first] = found;
  if (first === undefined) throw new Error('a message asks at least one question');
  const passages = inTurns(found.map((one) => one.passages));
  const unanswered = questions.filter(
    (one, index) => !one.isTalk && found[index]?.passages.length === 0,
  );
  return {
    language: first.language,
    talk,
    passages,
    terms: found.flatMap(({ terms }) => terms),
    judged: found.flatMap(({ judged }) => judged).sort((a, b) => b.likelihood - a.likelihood),
    quotable: found,
    unanswered: passages.length === 0 ? [] : unanswered.map(({ message }) => message),
  };
}

/** Merges lists: the best of each, then the second of each, and so on; each passage once. */
function inTurns(lists: readonly FoundPassage[][]): FoundPassage[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const all = Array.from({ length: longest }, (_, rank) =>
    lists.flatMap((list) => list[rank] ?? []),
  ).flat();
  return [...new Map(all.map((one) => [one.id, one])).values()];
}

/**
 * Finds the likely answer to a question. A question that depends on the conversation or the page ("and on Windows?",
 * "what does this mean?") takes the missing words from there, as does one that finds nothing alone. Its own words must
 * be found too: otherwise a new subject would get the old answer.
 */
async function findForOne(app: App, around: Around, asked: OneQuestion): Promise<Likely> {
  const { message, isTalk } = asked;
  const followUp = readFollowUp(message);
  const { ownWords, needsContext, hasPronoun } = followUp;
  const topic =
    mayBeFollowUp(followUp) && !isTalk
      ? topicOf(message, followUp, around.history, around.page)
      : undefined;
  if (topic === undefined) return findLikely(app, around, asked);
  const said = around.history.findLast((turn) => turn.role === 'assistant')?.content ?? '';
  // The thing to change was mentioned last.
  const isChange = ownWords.size === 0 && asksForChange(message) && !isNotFound(said);
  const findChange = () => {
    const answer = said.replaceAll(citationMark, '').slice(0, longestSaid);
    return findLikely(app, around, {
      ...asked,
      ownWords,
      context: { topic: answer, said, hasPronoun },
    });
  };
  if (isChange && settingsIn(said).length > 0) {
    const setting = await findChange();
    if (setting.passages.length > 0) return setting;
  }
  const isByPlace = refersByPosition(message);
  const findWithTopic = () =>
    findLikely(app, around, {
      ...asked,
      ownWords,
      // "And the last one?" names nothing searchable, and the rest of it matches unrelated texts.
      ownShare: isByPlace ? nearlyAll : undefined,
      context: { topic, said, hasPronoun },
    });
  const first = await (needsContext ? findWithTopic() : findLikely(app, around, asked));
  if (first.passages.length > 0 || (needsContext && isByPlace)) return first;
  // A message without a subject would find texts that contain its few words by chance.
  if (ownWords.size === 0) return isChange ? findChange() : first;
  // One word and an "it" refer to the conversation, or to nothing known.
  if (hasPronoun && ownWords.size === 1) return first;
  return needsContext
    ? findLikely(app, around, { ...asked, ownWords, ownShare: nearlyAll })
    : findWithTopic();
}
