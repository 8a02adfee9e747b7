import { html, type Html } from '../html.js';

/** A description: `spans` of code are set apart, all else is text. */
export function renderText(text: string): Html {
  return html`${text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** Paragraphs, as blank lines part them. */
export function renderParagraphs(text: string): Html {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${renderText(paragraph)}</p>`)}`;
}
