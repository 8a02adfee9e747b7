import assert from 'node:assert/strict';
import { parseOllamaAddress } from '../../../src/platform/models/ollama-address.js';

describe('The address of Ollama', () => {
  const accepted: [string, string][] = [
    ['localhost', 'http://localhost:11434'],
    ['192.168.1.5', 'http://192.168.1.5:11434'],
    ['gpu.example.com:8080', 'http://gpu.example.com:8080'],
    ['host:80', 'http://host'],
    [':11500', 'http://127.0.0.1:11500'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:9999', 'http://127.0.0.1:9999'],
    ['[::]:9999', 'http://[::1]:9999'],
    ['[::1]', 'http://[::1]:11434'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
    ['https://ai.example.com', 'https://ai.example.com'],
    ['https://ai.example.com/ollama/', 'https://ai.example.com/ollama'],
    ['http://anna:secret@host', 'http://host'],
    ['  localhost  ', 'http://localhost:11434'],
  ];
  for (const [setting, base] of accepted) {
    it(`is ${base} for "${setting}"`, () => assert.equal(parseOllamaAddress(setting).base, base));
  }

  for (const setting of ['', 'ftp://host', 'http://', 'host:port', 'a b']) {
    it(`is refused if it is "${setting}"`, () =>
      assert.throws(() => parseOllamaAddress(setting), { code: 'invalid_config' }));
  }
});
