import { allMatches } from '../platform/text/all-matches.js';
import { withoutMasks } from '../platform/text/mask-personal-data.js';
import { foldAccents } from '../language/fold.js';
import { inAnyLanguage } from '../language/packs.js';
import { splitSentences } from '../language/sentences.js';
import type { AskedPage, Turn } from './question-context.js';
import { readFollowUp, type FollowUp } from './follow-up.js';
import { isNotFound } from './answer.js';
import { smallTalkIn } from './small-talk.js';

/** The most earlier questions of a topic. */
const mostTurns = 4;
/** The characters of selected text that are searched. */
const longestSelection = 400;
/** Words that refer to the present page. */
const pointsAtPage = new RegExp(
  String.raw`(?<!\p{L})(?:${inAnyLanguage(({ ofPage }) => ofPage)})(?!\p{L})`,
  'iu',
);

/**
 * The topic of a message that depends on its context: the selected text on the page if the message points at it, else
 * the conversation, else the page. Undefined without any context.
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
 * The last question that names its subject, with the additions of its follow-ups. Unanswered questions are skipped,
 * because nobody continues from there, unless the message names nothing at all or says "it": then it refers to the last
 * question.
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
    // "Thanks" neither ends nor begins a subject.
    if (smallTalkIn(turn.content) !== undefined) continue;
    const isPassedOver = (ownWords.size > 0 && !hasPronoun) || parts.length > 0;
    if (unanswered && isPassedOver) continue;
    const question = askedIn(turn.content);
    parts.unshift(question);
    if (!readFollowUp(question).needsContext || parts.length === mostTurns) break;
  }
  return parts.length === 0 ? undefined : parts.join('\n');
}

/** The text to search: only the questions of a message, without masked data and without a greeting. */
export function askedIn(message: string): string {
  const text = withoutMasks(message);
  const sentences = splitSentences(text).map((sentence) => sentence.text);
  const questions = sentences.filter((sentence) => /\?["'”’»)\]]*$/.test(sentence));
  return withoutGreeting(questions.length > 0 ? questions.join('\n') : text);
}

/**
 * A question without its opening small talk: "Hello, how do I …?" becomes "How do I …?". Small talk ends at a
 * punctuation mark, or where the question begins: "hello world program" is a subject.
 */
function withoutGreeting(text: string): string {
  const ends = allMatches(text.slice(0, longestGreeting), /\s*[,;:.!–—-]+\s+|\s+/gu);
  for (const { 0: end, index } of ends.toReversed()) {
    const rest = text.slice(index + end.length);
    if (end.trim() === '' && !beginsAsQuestion.test(foldAccents(rest))) continue;
    const said = smallTalkIn(text.slice(0, index));
    if (said?.sure && rest !== '' && !said.kinds.has('about')) return rest;
  }
  return text;
}

/** The most characters of a greeting before a question. */
const longestGreeting = 60;
const questionWords = inAnyLanguage((pack) => pack.questionWords);
const beginsAsQuestion = new RegExp(
  String.raw`^\P{L}*(?:${foldAccents(questionWords)})(?!\p{L})`,
  'iu',
);

/** The most questions that are searched separately; more count as one. */
const mostQuestions = 3;
/**
 * Where one question ends and the next begins: ", and on which channel", or a new sentence. A run of blanks is tried
 * once, from its first, so that the time is linear.
 */
const andThen = String.raw`(?:${inAnyLanguage((pack) => pack.conjunctions.adding)})\s+(?=(?:\p{L}{1,4}\s)?(?:${questionWords})(?!\p{L}))`;
const nextQuestion = new RegExp(
  String.raw`\n(?:\P{L}{0,20}${andThen})?|(?:,|(?<!\s))\s+${andThen}`,
  'iu',
);

/**
 * The questions of a message, if each one names its subject; otherwise the whole as one question. The first may depend
 * on the conversation, but the others would depend on the first.
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
