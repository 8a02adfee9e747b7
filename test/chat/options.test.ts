import assert from 'node:assert/strict';
import type { AssistantConfig } from '../../src/chat/api-types.js';
import { checkConfig, readAttributes, resolveOptions } from '../../src/chat/options.js';
import { panelTexts } from '../../src/chat/texts/panel-texts.js';

describe('The options of the widget', () => {
  const fromTag = (attributes: Record<string, string>) => {
    const warnings: string[] = [];
    const given = readAttributes((name) => attributes[name] ?? null);
    return { checked: checkConfig(given, (sentence) => warnings.push(sentence)), warnings };
  };

  it('accept every language that has texts', () => {
    for (const language of Object.keys(panelTexts)) {
      assert.deepEqual(fromTag({ 'data-language': language }), {
        checked: { language },
        warnings: [],
      });
    }
  });

  it('are read from the tag’s attributes, whose names are in kebab-case', () => {
    const { checked, warnings } = fromTag({
      'data-api-key': 'wk_live_1',
      'data-api-url': 'https://help.example.com/',
      'data-ws-url': 'wss://help.example.com/widget/ws',
      'data-position': 'bottom-left',
      'data-theme': 'host',
      'data-language': 'de',
      'data-auto-open': '',
      'data-collapsed': 'false',
      'data-z-index': '12',
      'data-pii-masking': 'true',
      'data-form-values': '',
      'data-user-auth': 'true',
      'data-user-token': 'a.b.c',
      'data-docs-base-url': 'https://docs.example.com/help/',
      'data-links-in-page': 'none',
      'data-suggestions': 'How do I pay? | Where is my invoice?|',
      'data-title': 'Heron help',
      'data-logo': '/images/heron.svg',
      'data-greeting': 'Welcome to Heron!',
    });
    assert.deepEqual(warnings, []);
    assert.deepEqual(checked, {
      apiKey: 'wk_live_1',
      apiUrl: 'https://help.example.com',
      wsUrl: 'wss://help.example.com/widget/ws',
      position: 'bottom-left',
      theme: 'host',
      language: 'de',
      autoOpen: true,
      collapsed: false,
      zIndex: 12,
      piiMasking: true,
      formValues: true,
      userAuth: true,
      userToken: 'a.b.c',
      docsBaseUrl: 'https://docs.example.com/help',
      linksInPage: 'none',
      suggestions: ['How do I pay?', 'Where is my invoice?'],
      title: 'Heron help',
      logo: '/images/heron.svg',
      greeting: 'Welcome to Heron!',
    });
  });

  const bad: [string, string, RegExp][] = [
    ['data-theme', 'pink', /theme \(data-theme\) can't be "pink".*auto, light, dark, host/],
    ['data-position', '', /data-position.*bottom-right, bottom-left/],
    ['data-language', 'fr', /data-language.*auto, en, es, de/],
    ['data-auto-open', 'yes', /data-auto-open.*true or false/],
    ['data-z-index', 'top', /data-z-index.*whole number/],
    ['data-api-url', 'help.example.com', /data-api-url.*https?:/],
    ['data-ws-url', 'https://help.example.com', /data-ws-url.*wss?:/],
    ['data-docs-base-url', 'javascript:alert(1)', /data-docs-base-url/],
    ['data-logo', 'javascript:alert(1)', /data-logo.*https:/],
    ['data-logo', 'data:image/svg+xml,<svg/>', /data-logo.*https:/],
    ['data-logo', 'a logo.png', /data-logo.*https:/],
    ['data-title', '', /data-title.*a text/],
  ];
  for (const [attribute, value, expected] of bad)
    it(`ignore "${value}" for ${attribute} with a warning that names the allowed values`, () => {
      const { checked, warnings } = fromTag({ [attribute]: value });
      assert.deepEqual(checked, {});
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', expected);
    });

  it('ignore values of a wrong type and unknown options, with a warning', () => {
    const warnings: string[] = [];
    const given = {
      theme: 7,
      suggestions: ['one', 2],
      autoOpn: true,
      getUserToken: 'x',
      apiKey: '',
    };
    const checked = checkConfig(given, (sentence) => warnings.push(sentence));
    assert.deepEqual(checked, {});
    assert.equal(warnings.length, 5);
    assert.ok(warnings.some((sentence) => sentence.includes('no option autoOpn')));
  });

  it('return to their defaults with null, and a user token with an empty text', () => {
    const warnings: string[] = [];
    const taken = checkConfig({ theme: null, userToken: '', docsBaseUrl: null }, (sentence) =>
      warnings.push(sentence),
    );
    assert.deepEqual(warnings, []);
    const given = {
      theme: 'dark',
      userToken: 'a.b.c',
      docsBaseUrl: 'https://docs.example',
    } as const;
    const { theme, userToken, docsBaseUrl } = resolveOptions({ ...given, ...taken }, 'https://x');
    assert.deepEqual([theme, userToken, docsBaseUrl], ['auto', undefined, undefined]);
  });

  it('use the script’s own server by default, and derive the WebSocket’s address from it', () => {
    const options = resolveOptions({ apiKey: 'k' }, 'https://help.example.com');
    assert.equal(options.apiUrl, 'https://help.example.com');
    assert.equal(options.wsUrl, 'wss://help.example.com/widget/ws');
    const named: AssistantConfig = { apiUrl: 'http://localhost:3000', wsUrl: 'ws://other/ws' };
    assert.equal(resolveOptions(named, 'https://x.example').wsUrl, 'ws://other/ws');
    const { position, theme, language, zIndex, autoOpen, piiMasking } = options;
    assert.deepEqual(
      [position, theme, language, zIndex, autoOpen, piiMasking],
      ['bottom-right', 'auto', 'auto', 2147483000, false, false],
    );
  });
});
