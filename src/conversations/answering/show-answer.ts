import type { Session } from '../../platform/cli/cli.js';
import { printable } from '../../platform/text/printable.js';
import { createWordWrapper } from '../../platform/cli/columns.js';
import type { Answer } from '../../answers/answer.js';
import type { AnswerEvent, MessageResult } from './make-answer.js';
import type { RunningAnswer } from './running-answers.js';

/** How long a silence may last before it is explained, in milliseconds. */
const silenceMs = 700;
const silences = {
  queue: '(waiting: the model is busy with other questions…)',
  model: '(the model is loading…)',
};

/** Prints an answer as it arrives, then its sources. Throws the error that prevented any text. */
export async function showAnswer(session: Session, running: RunningAnswer): Promise<MessageResult> {
  const { stdout } = session.terminal;
  let takeBack: () => void = () => undefined;
  let explaining: NodeJS.Timeout | undefined;
  let explained: string | undefined;
  const explain = (event: AnswerEvent) => {
    const silence = event.type === 'waiting' ? silences[event.for] : undefined;
    // The same reason is reported again with every step of the queue and every few seconds.
    if (silence === explained) return;
    explained = silence;
    clearTimeout(explaining);
    takeBack();
    takeBack = () => undefined;
    if (silence === undefined) return;
    explaining = setTimeout(() => {
      takeBack = session.out.passing(silence);
    }, silenceMs);
  };
  let said = false;
  const wrapper = createWordWrapper(() => (stdout.isTTY === true ? stdout.columns : undefined));
  // Log lines must not appear inside a sentence of the answer.
  const release = session.out.hold();
  try {
    for await (const { event } of running.events()) {
      explain(event);
      if (event.type !== 'delta') continue;
      said = true;
      stdout.write(wrapper.push(printable(event.text)));
    }
  } finally {
    stdout.write(wrapper.end());
    if (said) stdout.write('\n');
    release();
  }
  const result = await running.result;
  const below = listSources(result.answer) || listSuggestions(result.answer);
  if (below !== '') stdout.write(`\n${below}\n`);
  return result;
}

/** The sources, one line each; empty without any. */
function listSources(answer: Answer): string {
  const lines = answer.sources.map((source) => {
    const { number, title, document, pageFrom, url } = source;
    const place = [url ?? document, pageFrom === null ? null : `page ${pageFrom}`];
    return [`  [${number}] ${title}`, ...place.filter(Boolean)].join(', ');
  });
  return printable(lines.join('\n'));
}

function listSuggestions({ suggestions = [] }: Answer): string {
  return printable(suggestions.map((text) => `  - ${text}`).join('\n'));
}

/** Says who made the answer, and how to continue the conversation. */
export function sayHow(
  { out, interrupted }: Session,
  { answer, conversationId }: MessageResult,
  goesOn: boolean,
): void {
  const { found, mode, complete, failure, quotedBecause, unsupported } = answer;
  const how = mode === 'ollama' ? 'answered by the model' : 'quoted from the knowledge';
  const end = failure === undefined ? ', cut short' : ', which broke off: ask again for the rest';
  const doubts = unsupported.length;
  const facts = [
    ...(found === true ? [`${how}${complete ? '' : end}`] : []),
    ...(doubts === 0 ? [] : [`no source bears out ${doubts} of its sentences`]),
    ...(goesOn && !interrupted.aborted ? [] : [`conversation ${conversationId}`]),
  ].join('; ');
  const reason = quotedBecause === undefined ? '' : `\nThe model did not answer: ${quotedBecause}`;
  out.note(`${facts === '' ? '' : `\n(${facts})`}${reason}${goesOn ? '\n' : ''}`);
}
