const { apiKey, person, ...look } = document.currentScript.dataset;
const questions = [...document.querySelectorAll('.questions button')];

// Nobody switches to whom they are.
document.querySelector(`button[value="${person}"]`)?.remove();

/** Called when the widget first needs a token, and again shortly before that one expires. */
async function getUserToken() {
  const response = await fetch('/assistant-token');
  // Signed out meanwhile, in another tab: a visitor from now on.
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`/assistant-token answered ${response.status}`);
  return (await response.json()).token;
}

// Where the service can't be reached there is none, and the page is as it was without it.
window.initAssistant?.({
  apiKey,
  // Its title, logo and greeting.
  ...look,
  ...(person && { getUserToken }),
  suggestions: questions.slice(0, 3).map((button) => button.textContent),
});

for (const button of questions) {
  button.disabled = window.Assistant === undefined;
  button.addEventListener('click', () => window.Assistant.sendMessage(button.textContent));
}

// The text makes room for the open panel: page.css.
function makeRoom() {
  document.documentElement.classList.toggle('chat-open', window.Assistant.isOpen());
}
for (const event of ['open', 'close']) window.Assistant?.on(event, makeRoom);
