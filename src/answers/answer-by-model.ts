import type { App } from '../platform/app.js';
import { AppError, codeOf, messageOf } from '../platform/errors.js';
import { whyNotReady } from '../platform/models/why-not-ready.js';
import type { FoundPassage } from '../search/search-passages.js';
import { type Answer, notFound, phrasesIn } from './answer.js';
import { askModel, type ModelQuestion, type ModelReply } from './ask-model.js';
import { checkSupport, type TextRange } from './check-support.js';
import { citeSources } from './cite-sources.js';
import type { ExtractedAnswer } from './extract-answer.js';

export interface QuestionToModel extends Omit<ModelQuestion, 'onText'> {
  /** The quotation to use instead. */
  quoted: ExtractedAnswer;
  /** Sends text to the reader as it arrives; undefined when the answer is read as a whole. */
  say: ((text: string) => void) | undefined;
}

/** Why the model gave no answer that can be shown. */
type NoAnswer = Required<Pick<Answer, 'quotedBecause'>>;

/**
 * The model's answer with verified citations, or the reason why the knowledge must be quoted instead. This happens when no
 * model answers, or when the model fails or is cut before its first word. It also happens when the answer cites nothing
 * and nobody has read it yet. In mode `ollama` nothing is quoted: each of these cases is `model_unavailable`, or a
 * failure of the answer if its text was already sent.
 *
 * Text that was sent can't be withdrawn, and holding it until a citation would delay every answer for the sake of a
 * few. So an answer without citations gets those of the passages that support all of it. If they do not, the quotation
 * is added with its sources, and the answer's own sentences stay marked as unsupported.
 */
export async function answerByModel(
  app: App,
  question: QuestionToModel,
): Promise<Answer | NoAnswer> {
  const strict = app.config.answers.mode === 'ollama';
  try {
    const reason = await whyNotReady(app.models, app.config.ollama);
    if (reason !== undefined) throw new AppError('model_unavailable', reason);
    const reply = await askModel(app, { ...question, onText: question.say });
    const answer = await answerOf(app, question, reply);
    return 'text' in answer ? { ...answer, model: app.config.ollama.chat_model } : answer;
  } catch (error) {
    if (strict || codeOf(error) !== 'model_unavailable') throw error;
    const reason = messageOf(error);
    app.log.info({ reason }, 'the model gave no answer; knowledge is quoted instead');
    return { quotedBecause: reason };
  }
}

async function answerOf(
  app: App,
  question: QuestionToModel,
  reply: ModelReply,
): Promise<Answer | NoAnswer> {
  const { language, say } = question;
  const strict = app.config.answers.mode === 'ollama';
  if (reply.notFound) return unknown(question, reply);
  if (reply.text === '') {
    // Nothing was sent to the reader yet, so the knowledge can still be quoted.
    const failure = reply.failure ?? saidNothing(reply);
    if (strict) throw failure;
    return { quotedBecause: failure.message };
  }
  if (reply.cited.length > 0) {
    const cited = reply.cited.flatMap((number) => reply.passages[number - 1] ?? []);
    return answered(app, question, reply, reply.text, cited);
  }
  if (!reply.complete) {
    if (say !== undefined) return answered(app, question, reply, reply.text, []);
    throw (
      reply.failure ??
      new AppError('model_unavailable', 'The model broke off in its answer. Ask again.')
    );
  }
  const { sentences } = checkSupport(reply.text, reply.passages);
  if (sentences.length > 0 && sentences.every(({ passages }) => passages.length > 0)) {
    const bearing = [...new Set(sentences.map(({ passages }) => passages[0] ?? 0))];
    const marks = bearing.map((_, index) => `[${index + 1}]`).join('');
    const cited = bearing.flatMap((index) => reply.passages[index] ?? []);
    return answered(app, question, reply, `${closed(reply.text)} ${marks}`, cited);
  }
  if (strict) {
    const sentence =
      'The model named no source for its answer, and the knowledge does not support it. Ask again.';
    const failure = new AppError('model_unavailable', sentence);
    if (say === undefined) throw failure;
    return answered(app, question, { ...reply, complete: false, failure }, reply.text, []);
  }
  if (say === undefined) return { quotedBecause: 'The model named no source for its answer.' };
  const { quoted } = question;
  if (quoted.cited.length === 0) return unknown({ ...question, language }, reply);
  const text = `${closed(reply.text)}\n\n${quoted.text}`;
  return answered(app, question, reply, text, quoted.cited);
}

function saidNothing({ complete }: ModelReply): AppError {
  const sentence = complete
    ? 'The model said nothing. Ask again.'
    : 'The model used all its tokens before it began to answer. Ask again, or raise ollama.answer_tokens.';
  return new AppError('model_unavailable', sentence);
}

async function answered(
  app: App,
  { language, quoted }: QuestionToModel,
  { complete, failure, units, passages }: ModelReply,
  text: string,
  cited: FoundPassage[],
): Promise<Answer> {
  const sources = await citeSources(app, cited, quoted.quotes);
  const unsupported = unsupportedIn(text, cited.length > 0 ? cited : passages);
  const how = { complete, failure, units, mode: 'ollama' as const };
  return { text, language, found: true, sources, unsupported, ...how };
}

/** Text that was already sent stays in front of the "not found" sentence. */
function unknown({ language, say }: QuestionToModel, { text, units }: ModelReply): Answer {
  const answer = notFound(language, units, 'ollama');
  if (say === undefined || text === '') return answer;
  return { ...answer, text: `${closed(text)}\n\n${phrasesIn(language).notFound}` };
}

function unsupportedIn(text: string, passages: FoundPassage[]): TextRange[] {
  return checkSupport(text, passages)
    .sentences.filter((sentence) => sentence.passages.length === 0)
    .map(({ from, to }) => ({ from, to }));
}

/** Closes a code block that the text left open, so that further text is outside it. */
function closed(text: string): string {
  return (text.match(/```/g)?.length ?? 0) % 2 === 1 ? `${text}\n\`\`\`\n` : text;
}
