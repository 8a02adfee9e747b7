import assert from 'node:assert/strict';
import { checkSupport, type SourceText } from '../../src/answers/check-support.js';

const backups: SourceText = {
  title: 'Backups',
  body: 'Backups of the server are made every night at 03:15. They are kept for 30 days on the server Heron. Passwords are not part of a backup.',
  language: 'en',
};
const restoring: SourceText = {
  title: 'Restoring',
  body: 'Only an administrator may restore a backup. Restoring takes about an hour.',
  language: 'en',
};

/** The sentences of a text that nothing bears out. */
function unsupported(text: string, ...passages: SourceText[]): string[] {
  return checkSupport(text, passages)
    .sentences.filter((sentence) => sentence.passages.length === 0)
    .map(({ from, to }) => text.slice(from, to));
}

describe('A sentence of an answer', () => {
  const supported: [string, string][] = [
    ['in the words of a passage', 'Backups of the server are made every night [1].'],
    [
      'in other forms of its words',
      'The server is backed up nightly: each backup is made at night [1].',
    ],
    ['with its numbers', 'They are kept 30 days [1].'],
    ['with its names', 'The backups are kept on Heron [1].'],
    ['with its denial', 'A backup does not include passwords [1].'],
    [
      'put together from two passages',
      'Backups made every night can be restored by an administrator [1][2].',
    ],
    ['that says nothing by itself', 'Yes. Follow these steps:'],
    [
      'that is a heading, or code',
      '# Something else entirely\n\n```\nrm -rf everything elsewhere\n```',
    ],
  ];
  for (const [what, text] of supported) {
    it(`is accepted as supported ${what}`, () => {
      assert.deepEqual(unsupported(text, backups, restoring), []);
    });
  }

  it('is accepted as supported by a passage whose signs Markdown protects', () => {
    const body = 'The method \\_\\_init__ of the class takes my\\_\\_value.';
    const passage: SourceText = { title: 'Classes', body, language: 'en' };
    assert.deepEqual(unsupported('The method __init__ takes my__value [1].', passage), []);
  });

  const marked: [string, string][] = [
    ['of another matter', 'The invoice is sent by postal mail.'],
    ['with another number', 'Backups of the server are kept for 90 days [1].'],
    ['with another time', 'Backups of the server are made every night at 04:15 [1].'],
    ['with a name that stands nowhere', 'The backups are kept on the server Osprey [1].'],
    ['that denies what is asserted', 'Backups of the server are not made every night [1].'],
    ['that asserts what is denied', 'Passwords are part of a backup [1].'],
  ];
  for (const [what, text] of marked) {
    it(`is marked as unsupported ${what}`, () => {
      assert.deepEqual(unsupported(text, backups, restoring), [text]);
    });
  }

  it('is marked alone, by its position in the text', () => {
    const text =
      'Backups are made every night [1]. Elephants never forget. They are kept 30 days [1].';
    assert.deepEqual(unsupported(text, backups), ['Elephants never forget.']);
  });

  it('names the passages that support it', () => {
    const text = 'Backups are made every night. Restoring takes about an hour.';
    assert.deepEqual(
      checkSupport(text, [backups, restoring]).sentences.map(({ passages }) => passages),
      [[0], [1]],
    );
  });

  it('is checked in Spanish and German too', () => {
    const spanish: SourceText = {
      title: 'Copias',
      body: 'Las copias del servidor se hacen cada noche. No contienen contraseñas.',
      language: 'es',
    };
    const german: SourceText = {
      title: 'Sicherungen',
      body: 'Die Sicherungen des Servers werden jede Nacht gemacht. Sie enthalten keine Passwörter.',
      language: 'de',
    };
    assert.deepEqual(unsupported('Las copias del servidor se hacen por la noche.', spanish), []);
    assert.equal(unsupported('Las copias contienen contraseñas.', spanish).length, 1);
    assert.equal(unsupported('La factura llega por correo postal.', spanish).length, 1);
    assert.deepEqual(
      unsupported(
        'Der Server wird nachts gesichert: die Sicherung wird jede Nacht gemacht.',
        german,
      ),
      [],
    );
    assert.equal(unsupported('Die Sicherungen enthalten Passwörter.', german).length, 1);
    assert.equal(unsupported('Die Rechnung kommt mit der Post.', german).length, 1);
  });

  it('is checked by its numbers and names if its passage is in another language', () => {
    const text = 'Die Sicherungen liegen 30 Tage lang auf dem Rechner, danach werden sie gelöscht.';
    assert.deepEqual(unsupported(text, backups), []);
    assert.equal(unsupported(text.replace('30', '90'), backups).length, 1);
  });
});
