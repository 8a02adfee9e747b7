import type { FrameReply } from '../protocol.js';
import { isOver } from '../session/session-state.js';
import type { Copied } from '../markdown/copy-text.js';
import type { ChatMessage } from '../session.js';
import { answerText, richText, spokenTexts } from './answer-text.js';
import { askAgain } from './ask-again.js';
import { dots } from './dots.js';
import { element, present, setText } from '../dom/element.js';
import { answerTools } from './feedback.js';
import { listSources, type SourceList } from './sources.js';
import type { Pages, ViewContext } from './view-context.js';

export interface MessageView {
  node: HTMLElement;
  update(message: ChatMessage): void;
  /** What a screen reader is told once the message is whole, one text for each paragraph. */
  spoken(): string[];
}

/** Grows while it streams; what stands below it (sources, notes, thumbs) comes once, with the end. */
export function answerView(context: ViewContext, { key }: ChatMessage): MessageView {
  const { texts } = context;
  let sources: SourceList | undefined;
  let ended: FrameReply | undefined;
  let notes: string[] = [];
  const note = (text: string) => element('p', { class: 'note' }, text);
  const text = answerText(context, (number) => sources?.reveal(number));
  const what = element('span');
  const waiting = dots(what);
  const below = element('div', { class: 'below' });
  const why = note('');
  const broken = element('div', { class: 'pair' }, why, askAgain(context, key));
  /** As it was made, with what is wrong with it, and its sources. */
  const written = (): Copied => {
    const { response = '', unsupported = [] } = ended ?? {};
    const marked = unsupported.reduceRight((all, { to }, at) => {
      const next = unsupported[at + 1];
      const goesOn = next && !/\S|\n\n/.test(response.slice(to, next.from));
      return goesOn ? all : `${all.slice(0, to)} (${texts.unconfirmed})${all.slice(to)}`;
    }, response);
    const paragraphs = [why.textContent, ...notes].filter(Boolean);
    const lines = sources?.lines ?? [];
    const list = lines.map(({ textContent }) => textContent).join('\n');
    return {
      'text/plain': [marked, ...paragraphs, list].filter(Boolean).join('\n\n'),
      'text/html': richText(text.node, ...paragraphs.map(note), ...lines),
    };
  };
  const tools = answerTools(context, key, written, text.node);
  const help = lateHelp(context, key, text.node);
  tools.node.onclick = ({ target }) => {
    if ((target as Element).closest('.down')) help.reveal();
  };
  const node = element(
    'article',
    { class: 'answer', 'aria-label': texts.title },
    ...[text.node, waiting, broken, below, tools.node, help.node],
  );

  /** The end of the answer is shown once: what was opened or marked below it must stay. */
  const end = (reply: FrameReply): void => {
    ended = reply;
    text.end(reply.sources);
    sources = reply.sources[0] && listSources(context, reply.sources);
    notes = present([
      reply.mode === 'extractive' && !!reply.found && texts.quoted,
      !!reply.unsupported[0] && texts.unsupported,
    ]);
    below.replaceChildren(...notes.map(note));
    if (sources) below.append(sources.node);
  };

  return {
    node,
    update(message) {
      const { status, reply, waitingFor } = message;
      const under = !isOver(message);
      node.ariaBusy = String(under);
      text.show(message.text);
      waiting.hidden = !under || !!message.text;
      what.textContent = texts[waitingFor ? 'longer' : 'waiting'];
      broken.hidden = under || status === 'complete';
      setText(
        why,
        broken.hidden
          ? ''
          : texts[message.error?.code === 'cancelled' ? 'cancelled' : 'incomplete'],
      );
      if (reply && reply !== ended) end(reply);
      tools.node.hidden = under || !reply?.found || reply.withheld;
      tools.update(message);
      if (!under) help.update(message);
    },
    spoken: () => [...spokenTexts(text.node), why.textContent, ...notes].filter(Boolean),
  };
}

/** What few answers need, loaded once one does. */
function lateHelp(context: ViewContext, key: string, text: HTMLElement) {
  const node = element('div');
  let help: ReturnType<Pages['answerHelp']> | undefined;
  let latest: ChatMessage;
  let isWanted = false;
  const load = async (): Promise<void> => {
    const pages = await context.loadPages();
    if (help) return;
    help = pages.answerHelp(context, key, text);
    node.append(help.node);
    help.update(latest);
    if (isWanted) help.reveal();
  };
  return {
    node,
    update(message: ChatMessage) {
      latest = message;
      help?.update(message);
      // What did not come is asked for again with the next change.
      const { reply, rating, request } = message;
      if (!help && (reply?.canRequest || reply?.unsupported.length || rating === 'down' || request))
        load().catch(() => undefined);
    },
    /** The answer was just judged, not found judged after a reload: what it is asked for comes into view. */
    reveal() {
      isWanted = true;
      help?.reveal();
    },
  };
}
