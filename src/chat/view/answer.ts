import type { FrameReply } from '../protocol.js';
import { isOver, questionOf } from '../session/session-state.js';
import { type Copied, copyOnPress } from '../markdown/copy-text.js';
import type { ChatMessage } from '../session.js';
import { element, present, setText, button, type Child } from '../dom/element.js';
import { icon } from '../dom/icons.js';
import { answerText, richText, spokenTexts } from './answer-text.js';
import { listSources, type SourceList } from './sources.js';
import type { Pages, ViewContext } from './view-context.js';

export interface MessageView {
  node: HTMLElement;
  update(message: ChatMessage): void;
  /** The screen reader's texts of a complete message, one for each paragraph. */
  spoken(): string[];
}

/** An answer that grows while it streams. The parts below it (sources, notes, rating) appear once, at the end. */
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
  /** The Markdown source, with the unconfirmed marks and the sources. */
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
    text.node,
    waiting,
    broken,
    below,
    tools.node,
    help.node,
  );

  /** Render the end of an answer only once: the reader may have opened or marked something below. */
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

/** Few answers need this part, so it is loaded on demand. */
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
      // A failed load is tried again with the next change.
      const { reply, rating, request } = message;
      if (!help && (reply?.canRequest || reply?.unsupported.length || rating === 'down' || request))
        load().catch(() => undefined);
    },
    /** Scrolls the form into view after the reader has rated the answer; not for a stored rating. */
    reveal() {
      isWanted = true;
      help?.reveal();
    },
  };
}

/**
 * The button that asks a question again. `key` belongs to the question or its answer. A failed question is asked in its
 * place. For a partial answer, a new question is added, as in the stored conversation.
 */
export function askAgain({ session, texts }: ViewContext, key: string): HTMLButtonElement {
  const again = (): void => {
    const question = questionOf(session.state, key);
    if (!question) return;
    // The button may be replaced, so the focus must move inside the panel.
    made.closest<HTMLElement>('.log')?.focus({ preventScroll: true });
    if (question.status === 'failed') session.retry(question.key);
    else session.send(question.text);
  };
  const made = button('plain', again, [texts.retry]);
  return made;
}

/** Moving dots with the reason of the wait. */
export function dots(what: Child): HTMLElement {
  return element('div', { class: 'dots' }, element('i'), element('i'), element('i'), what);
}

/** Buttons to copy and rate an answer. Pressing the active thumb again removes the rating. */
function answerTools(
  { session, texts }: ViewContext,
  key: string,
  written: () => Copied,
  shown: Node,
) {
  const thumb = (rating: 'up' | 'down', label: string) =>
    button(`icon quiet ${rating}`, () => void session.rate(key, rating), [icon('thumb')], label);
  const up = thumb('up', texts.helpful);
  const down = thumb('down', texts.notHelpful);
  const copy = element('button', { type: 'button', class: 'quiet copy' });
  copyOnPress(copy, { copyLabel: texts.copyAnswer, copied: texts.copied }, written, shown);
  return {
    node: element('div', { class: 'tools' }, copy, up, down),
    update({ rating }: ChatMessage) {
      up.ariaPressed = String(rating === 'up');
      down.ariaPressed = String(rating === 'down');
    },
  };
}
