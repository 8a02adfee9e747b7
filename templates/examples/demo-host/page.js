const form = document.querySelector('#ask');
const input = document.querySelector('#question');
const answers = document.querySelector('#answers');

function element(tag, text, className) {
  const node = document.createElement(tag);
  node.textContent = text;
  if (className) node.className = className;
  return node;
}

async function ask(question) {
  const card = document.createElement('article');
  const body = element('p', '…', 'answer');
  card.append(element('h2', question), body);
  answers.prepend(card);
  try {
    const reply = await fetch('/ask', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ question }),
    });
    const answer = await reply.json();
    body.textContent = answer.response ?? `This did not work: ${answer.error}`;
    const list = document.createElement('ol');
    for (const source of answer.sources ?? []) {
      const pages = source.pages ? `, page ${source.pages.from}` : '';
      list.append(element('li', source.title + pages));
    }
    if (list.children.length > 0) card.append(list);
  } catch {
    body.textContent = 'The server does not answer. Is the demo still running?';
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const question = input.value.trim();
  if (question === '') return;
  input.value = '';
  void ask(question);
});

for (const example of document.querySelectorAll('#examples button')) {
  example.addEventListener('click', () => void ask(example.textContent));
}
