import assert from 'node:assert/strict';
import { joinCells } from '../../../bench/pdf/truth.js';
import { beyond, f1, scoreText, trigramsOf, wordsOf } from '../../../bench/pdf/scores.js';

describe('The true text', () => {
  it('has each cell of a drawn table as a whole', () => {
    const drawn = [
      ...['Before', '+--------------+', '|Name  |Meaning|', '|------+-------|'],
      ...['|      |an editor|', '|cad   |for     |', '|      |plans   |', '|------+-------|'],
      ...['|b     |c       |', '+--------------+', '| a single bar'],
    ];
    assert.deepEqual(joinCells(drawn.join('\n')).split('\n'), [
      ...['Before', '+--------------+', 'Name | Meaning', '|------+-------|'],
      ...['cad | an editor for plans', '|------+-------|'],
      ...['b | c', '+--------------+', '| a single bar'],
    ]);
  });
});

describe('The scores of a text', () => {
  it('count lower-cased words of letters and digits, and ignore marks and spaces', () => {
    assert.deepEqual(wordsOf('Über-All:\n  *v2.0* (Straße)'), ['über', 'all', 'v2', '0', 'straße']);
  });

  it('count each Chinese and Japanese character as a word', () => {
    assert.deepEqual(wordsOf('软件包 apt ソフト'), ['软', '件', '包', 'apt', 'ソ', 'フ', 'ト']);
  });

  it('are 1 for the same words and 0 for none in common', () => {
    assert.deepEqual(scoreText('one two, three!', 'One two three'), { words: 1, trigrams: 1 });
    assert.deepEqual(scoreText('four five six', 'one two three'), { words: 0, trigrams: 0 });
    assert.equal(f1([], []), 1);
  });

  it('count each occurrence of a word', () => {
    // Precision is 2 of 3, recall 2 of 2.
    assert.equal(f1(['a', 'a', 'a'], ['a', 'a']), 0.8);
    assert.deepEqual(beyond(['a', 'b', 'a', 'a'], ['a']), ['b', 'a', 'a']);
  });

  it('show a different order by trigrams, even if the words are the same', () => {
    const columns = scoreText(
      'left one right one left two right two',
      'left one left two right one right two',
    );
    assert.equal(columns.words, 1);
    assert.equal(columns.trigrams, 2 / 6);
    assert.deepEqual(trigramsOf(['a', 'b', 'c', 'd']), ['a b c', 'b c d']);
    assert.deepEqual(trigramsOf(['a', 'b']), []);
  });
});
