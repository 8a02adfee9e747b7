import { withoutMasks } from '../platform/text/mask-personal-data.js';
import { foldAccents } from '../language/fold.js';
import { inAnyLanguage } from '../language/packs.js';
import { splitSentences } from '../language/sentences.js';
import type { AskedPage, Turn } from './question-context.js';
import { readFollowUp, type FollowUp } from './follow-up.js';
import { isNotFound } from './answer.js';
import { smallTalkIn } from './small-talk.js';

/** Earlier questions that a topic is made of at most. */
const mostTurns = 4;
/** Characters of marked text that are looked for. */
const longestSelection = 400;
/** Words by which a message means the page that it is asked on. */
const pointsAtPage =
  /(?<![\p{L}])(?:this|these|here|esto|est[aeo]s?|aquí|dies|diese[mnrs]?|hier|das)(?![\p{L}])/iu;

/**
 * What a message that leans on something is about: what is marked on the page, where it points at that; else the
 * conversation; else the page itself. Undefined where there is nothing to lean on.
 */
export function topicOf(
  message: string,
  followUp: FollowUp,
  history: Turn[],
  page: AskedPage | undefined,
): string | undefined {
  const points = pointsAtPage.test(message);
  const marked = page?.selectedText?.trim().slice(0, longestSelection) ?? '';
  if (points && marked !== '') return marked;
  const said = topicOfConversation(followUp, history);
  if (said !== undefined) return said;
  const title = page?.title.trim() ?? '';
  return points && title !== '' ? title : undefined;
}

/**
 * The last question that names its subject, with what the follow-ups after it added. A question without an answer
 * is passed over, since nobody goes on from there, unless the message names nothing at all or speaks of "it": that is
 * about just the last one.
 */
function topicOfConversation(
  { ownWords, hasPronoun }: FollowUp,
  history: Turn[],
): string | undefined {
  const parts: string[] = [];
  let unanswered = false;
  for (const turn of history.toReversed()) {
    if (turn.role === 'assistant') {
      unanswered = isNotFound(turn.content);
      continue;
    }
    // "Thanks" ends no subject and begins none.
    if (smallTalkIn(turn.content) !== undefined) continue;
    const isPassedOver = (ownWords.size > 0 && !hasPronoun) || parts.length > 0;
    if (unanswered && isPassedOver) continue;
    const question = askedIn(turn.content);
    parts.unshift(question);
    if (!readFollowUp(question).needsContext || parts.length === mostTurns) break;
  }
  return parts.length === 0 ? undefined : parts.join('\n');
}

/**
 * What a search looks for: the question sentences of a message, where it says other things too, without masked personal
 * data and without a greeting.
 */
export function askedIn(message: string): string {
  const text = withoutMasks(message);
  const sentences = splitSentences(text).map((sentence) => sentence.text);
  const questions = sentences.filter((sentence) => /\?["'”’»)\]]*$/.test(sentence));
  return withoutGreeting(questions.length > 0 ? questions.join('\n') : text);
}

/**
 * A question without the small talk that it begins with: "Hello, how do I …?" asks no more than "How do I …?". That
 * ends at a sign, or where the question begins: "hello world program" is a subject.
 */
function withoutGreeting(text: string): string {
  const ends = [...text.slice(0, longestGreeting).matchAll(/\s*[,;:.!–—-]+\s+|\s+/gu)];
  for (const { 0: end, index } of ends.toReversed()) {
    const rest = text.slice(index + end.length);
    if (end.trim() === '' && !beginsAsQuestion.test(foldAccents(rest))) continue;
    const said = smallTalkIn(text.slice(0, index));
    if (said?.sure && rest !== '' && !said.kinds.has('about')) return rest;
  }
  return text;
}

/** Characters of what a question is greeted with at most. */
const longestGreeting = 60;
const questionWords = inAnyLanguage((pack) => pack.questionWords);
const beginsAsQuestion = new RegExp(
  String.raw`^\P{L}*(?:${foldAccents(questionWords)})(?!\p{L})`,
  'iu',
);

/** Questions that are each looked for by themselves; more than that are taken for one. */
const mostQuestions = 3;
/**
 * Where one question ends and another begins: ", and on which channel", or with the next sentence. A run of blanks is
 * tried once, from its first, so that the time is linear in the text.
 */
const andThen = String.raw`(?:${inAnyLanguage((pack) => pack.conjunctions.adding)})\s+(?=(?:\p{L}{1,4}\s)?(?:${questionWords})(?!\p{L}))`;
const nextQuestion = new RegExp(
  String.raw`\n(?:\P{L}{0,20}${andThen})?|(?:,|(?<!\s))\s+${andThen}`,
  'iu',
);

/**
 * The questions of a message, where each says by itself what it is about; else all that it asks as one. The first may
 * lean on what was said before the message, the others would lean on the first.
 */
export function questionsIn(message: string): string[] {
  const whole = askedIn(message);
  const parts = whole.split(nextQuestion);
  const followUps = parts.map(readFollowUp);
  const isOne =
    parts.length > mostQuestions ||
    followUps.some(
      ({ needsContext, ownWords }, at) => ownWords.size === 0 || (needsContext && at > 0),
    );
  return isOne ? [whole] : parts;
}
