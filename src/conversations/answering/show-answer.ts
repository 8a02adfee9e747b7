import type { Session } from '../../platform/cli/cli.js';
import { printable } from '../../platform/cli/terminal.js';
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

/**
 * Writes an answer to the terminal as it comes, then its sources. Throws what kept the model from saying anything.
 */
export async function showAnswer(
  session: Session,
  running: RunningAnswer,
  goesOn: boolean,
): Promise<void> {
  const { stdout } = session.terminal;
  let takeBack: () => void = () => undefined;
  let explaining: NodeJS.Timeout | undefined;
  let explained: string | undefined;
  const explain = (event: AnswerEvent) => {
    const silence = event.type === 'waiting' ? silences[event.for] : undefined;
    // Told again with every step of the queue, and every few seconds.
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
  // What the log has to say meanwhile must not stand within a sentence.
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
  sayHow(session, result, goesOn);
}

/** The sources, a line for each; empty where there are none. */
function listSources(answer: Answer): string {
  const lines = answer.sources.map((source) => {
    const { number, title, document, pageFrom } = source;
    const place = [document, pageFrom === null ? null : `page ${pageFrom}`];
    return [`  [${number}] ${title}`, ...place.filter(Boolean)].join(', ');
  });
  return printable(lines.join('\n'));
}

function listSuggestions({ suggestions = [] }: Answer): string {
  return printable(suggestions.map((text) => `  - ${text}`).join('\n'));
}

/** Who made the answer, and how to go on with its conversation. */
export function sayHow(
  { out, interrupted }: Session,
  { answer, conversationId }: MessageResult,
  goesOn: boolean,
): void {
  const { found, mode, complete, failure, unsupported } = answer;
  const how = mode === 'ollama' ? 'answered by the model' : 'quoted from the knowledge';
  const end = failure === undefined ? ', cut short' : ', which broke off: ask again for the rest';
  const doubts = unsupported.length;
  const facts = [
    ...(found === true ? [`${how}${complete ? '' : end}`] : []),
    ...(doubts === 0 ? [] : [`no source bears out ${doubts} of its sentences`]),
    ...(goesOn && !interrupted.aborted ? [] : [`conversation ${conversationId}`]),
  ].join('; ');
  out.note(`${facts === '' ? '' : `\n(${facts})`}${goesOn ? '\n' : ''}`);
}
