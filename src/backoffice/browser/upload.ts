/** The words and limits that the page gives to its script. */
interface Words {
  label: string;
  hint: string;
  chosen: string;
  looking: string;
  unknown: string;
  open: string;
  sent: string;
  sending: string;
  failed: string;
  lost: string;
  tooLarge: string;
  mostBytes: number;
}

interface Chosen {
  file: File;
  item: HTMLElement;
  note: HTMLElement;
}

/** Lets several files be chosen, says what each would come to, and sends them one after the other with progress. */
export function quickenUpload(): void {
  const root = document.querySelector<HTMLElement>('[data-upload]');
  const form = root?.querySelector('form') ?? null;
  const field = form?.querySelector<HTMLInputElement>('input[type=file]') ?? null;
  const holder = field?.closest<HTMLElement>('[data-files]') ?? null;
  if (root === null || form === null || field === null || holder === null) return;
  const words = JSON.parse(holder.dataset['files'] ?? '{}') as Words;
  field.multiple = true;
  setText(holder.querySelector('label'), words.label);
  setText(holder.querySelector('.hint'), words.hint);
  const list = document.createElement('ul');
  list.className = 'chosen';
  list.setAttribute('aria-label', words.chosen);
  list.setAttribute('aria-live', 'polite');
  holder.append(list);
  let chosen: Chosen[] = [];
  let round = 0;

  const lookAll = async () => {
    const own = ++round;
    for (const one of chosen) one.note.textContent = words.looking;
    for (const one of chosen) {
      const text = await lookUp(root.dataset['upload'] ?? '', form, one.file, words);
      if (own !== round) return;
      one.note.textContent = text;
    }
  };
  field.addEventListener('change', () => {
    chosen = [...(field.files ?? [])].map((file) => addItem(file));
    list.replaceChildren(...chosen.map(({ item }) => item));
    void lookAll();
  });
  form.addEventListener('change', (event) => {
    if (event.target !== field && chosen.length > 0) void lookAll();
  });
  form.addEventListener('submit', (event) => {
    // One file goes as without a script, and leads to its page.
    if (chosen.length < 2) return;
    event.preventDefault();
    event.stopPropagation();
    round++;
    void sendAll(form, chosen, words).then((left) => {
      chosen = left;
      if (left.length === 0) form.reset();
    });
  });
}

function addItem(file: File): Chosen {
  const item = document.createElement('li');
  const name = document.createElement('strong');
  const note = document.createElement('span');
  name.textContent = file.name;
  item.append(name, ' ', note);
  return { file, item, note };
}

/** The hash is only to be had over HTTPS and on this machine itself: elsewhere the file is compared at its upload. */
async function lookUp(
  address: string,
  form: HTMLFormElement,
  file: File,
  words: Words,
): Promise<string> {
  if (file.size > words.mostBytes) return words.tooLarge;
  if (!isSecureContext) return words.unknown;
  try {
    const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
    const sha256 = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0'));
    const query = new URLSearchParams({ file_name: file.name, file_sha256: sha256.join('') });
    for (const name of ['app_id', 'domain', 'visibility']) {
      const value = new FormData(form).get(name);
      if (typeof value === 'string') query.set(name, value);
    }
    const response = await fetch(`${address}?${query.toString()}`);
    if (!response.ok) return words.unknown;
    return ((await response.json()) as { text: string }).text;
  } catch {
    return words.unknown;
  }
}

/** Returns the files that were not stored, so that a second press sends these alone. */
async function sendAll(
  form: HTMLFormElement,
  chosen: readonly Chosen[],
  words: Words,
): Promise<Chosen[]> {
  const button = form.querySelector('button');
  button?.setAttribute('aria-busy', 'true');
  const left: Chosen[] = [];
  for (const one of chosen) if (!(await sendOne(form, one, words))) left.push(one);
  button?.removeAttribute('aria-busy');
  return left;
}

function sendOne(form: HTMLFormElement, { file, note }: Chosen, words: Words): Promise<boolean> {
  const body = new FormData(form);
  body.delete('file');
  body.set('file', file, file.name);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', form.action);
    request.responseType = 'document';
    request.upload.onprogress = ({ loaded, total }) => {
      const percent = Math.floor((100 * loaded) / Math.max(1, total));
      note.textContent = words.sending.replace('%', `${percent} %`);
    };
    request.onload = () => {
      const wait = Number(request.getResponseHeader('Retry-After'));
      if (request.status === 429 && wait > 0) {
        setTimeout(() => resolve(sendOne(form, { file, note, item: note }, words)), wait * 1000);
        return;
      }
      const isStored = request.status < 400 && request.responseURL.startsWith(`${form.action}/`);
      if (isStored) {
        const link = document.createElement('a');
        link.href = request.responseURL.replace(/\?.*$/, '');
        link.textContent = words.open;
        const said = request.responseXML?.querySelector('.done')?.textContent ?? words.sent;
        note.replaceChildren(`${said} `, link);
      } else {
        const fault = request.responseXML?.querySelector('.fault, .fault-page')?.textContent;
        note.textContent = `${words.failed} ${fault?.trim() ?? words.lost}`;
      }
      resolve(isStored);
    };
    request.onerror = () => {
      note.textContent = `${words.failed} ${words.lost}`;
      resolve(false);
    };
    request.send(body);
  });
}

function setText(element: Element | null, text: string): void {
  if (element !== null) element.textContent = text;
}
