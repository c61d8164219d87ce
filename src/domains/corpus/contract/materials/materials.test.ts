import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedLink } from '#kernel/contract/linkPlaces.ts';
import { cardOf } from '#domains/consultation/contract/im/cards.ts';
import { variableSeeds } from '../../server/conditions/variableReference.ts';
import { renderMaterial, type RenderFacts } from './render.ts';
import { exampleValues, fillText, forbiddenIn, markedParts, textVariables, wrongVariable } from './text.ts';
import type { MaterialContent } from './content.ts';

const facts: RenderFacts = {
  values: exampleValues,
  sendId: '12',
  token: 'abc',
  image: { fileId: '5', fileName: 'a.png', size: 10 },
  medicine: { medicineId: '7', name: '二甲双胍', spec: '0.5g', rxRequired: true },
  questionnaire: { questionnaireId: '9', title: '用药情况' },
};

describe('variables', () => {
  it.each([
    ['没有变量', null],
    ['{{患者称呼:您}}好', null],
    ['{{ 患者称呼 ： 您 }}好', null],
    ['{{患者称呼}}', '患者称呼'],
    ['{{患者称呼: }}', '患者称呼'],
    ['{{手机号:无}}', '手机号'],
    ['{{:您}}', ':您'],
    ['{{患者称呼:您}', '{{患者称呼:您}'],
    ['您}}好', '}}好'],
  ])('%s: %s is wrong', (text, name) => expect(wrongVariable(text)).toBe(name));

  it.each([
    [{ 患者称呼: '王先生' }, '王先生好'],
    [{ 患者称呼: ' ' }, '您好'],
    [{}, '您好'],
  ])('%o fills to %s', (values, text) => expect(fillText('{{患者称呼:您}}好', values)).toBe(text));

  it('a right text is filled without braces, whatever is known', () => {
    const name = fc.constantFrom(...textVariables.map((variable) => variable.name));
    const plain = fc.string().map((text) => text.replaceAll(/[{}]/g, ''));
    const word = plain.filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, name, word)), fc.dictionary(name, plain), (parts, values) => {
        const text = parts.map(([before, variable, fallback]) => `${before}{{${variable}:${fallback}}}`).join('');
        expect(wrongVariable(text)).toBeNull();
        expect(fillText(text, values)).not.toMatch(/[{}]/);
      }),
    );
  });

  it('those of facts are the seeded variables of texts', () =>
    expect(textVariables.flatMap(({ name, code }) => (code === null ? [] : [[code, name]]))).toEqual(
      variableSeeds.filter(({ flag }) => flag >= 2).map(({ code, name }) => [code, name]),
    ));
});

describe('forbidden words', () => {
  const list = [
    { word: '根治', level: 'HARD' as const },
    { word: '免费', level: 'SOFT' as const },
    { word: 'VX', level: 'HARD' as const },
  ];
  it.each([
    ['可以根治', ['根治']],
    ['可以根 治，免费', ['根治', '免费']],
    ['加ｖｘ咨询', ['VX']],
    ['根据治疗', []],
  ])('%s: %o', (text, words) => expect(forbiddenIn(text, list).map(({ word }) => word)).toEqual(words));

  it('are marked in place', () =>
    expect(markedParts('可根 治，免费😀', list)).toEqual([
      { text: '可', level: null },
      { text: '根 治', level: 'HARD' },
      { text: '，', level: null },
      { text: '免费', level: 'SOFT' },
      { text: '😀', level: null },
    ]));

  it('marks lose no letter', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('根', '治', '免', '费', ' ', 'v', 'Ｘ', '😀', 'ﬁ')), (letters) => {
        const text = letters.join('');
        expect(
          markedParts(text, list)
            .map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
    ));
});

it.each([
  ['https://mp.weixin.qq.com/s/abc', true],
  ['https://mp.weixin.qq.com:8443/s', false],
  ['https://a@mp.weixin.qq.com/s', false],
  ['http://mp.weixin.qq.com/s', false],
  ['//mp.weixin.qq.com/s', false],
])('link %s: %s', (url, allowed) => expect(isAllowedLink(url)).toBe(allowed));

describe('bubbles', () => {
  const card = (content: MaterialContent, more: Partial<RenderFacts> = {}) => {
    const bubble = renderMaterial(content, { ...facts, ...more });
    return bubble && 'data' in bubble.payload ? cardOf(bubble.payload) : bubble;
  };
  it('a text is filled, an image is its file', () => {
    expect(card({ type: 'TEXT', text: '{{患者称呼:您}}好' })).toEqual({ type: 'TIMTextElem', payload: { text: '王先生好' } });
    expect(card({ type: 'IMAGE', fileId: '5' })).toEqual({ type: 'TIMImageElem', payload: facts.image });
  });
  it.each<[MaterialContent, object]>([
    [
      { type: 'ARTICLE', title: '饮食', summary: '少糖', url: 'https://mp.weixin.qq.com/s/a' },
      { materialType: 'ARTICLE', title: '饮食', body: '少糖', link: 'https://mp.weixin.qq.com/s/a' },
    ],
    [
      { type: 'MINI_CARD', appId: 'wx8f2a61c0d3b74e95', path: '/pages/index', title: '复诊预约', coverFileId: '3' },
      { title: '复诊预约', body: '康桥患者端', coverFileId: '3', link: 'weapp://wx8f2a61c0d3b74e95/pages/index' },
    ],
    [
      { type: 'QUESTIONNAIRE', questionnaireId: '9', validDays: 7 },
      { title: '用药情况', body: '请在7天内填写', token: 'abc', link: '/wx/form?token=abc' },
    ],
    [
      { type: 'MEDICINE_CARD', medicineId: '7', note: '随餐' },
      { title: '二甲双胍 0.5g', body: '随餐', medicineId: '7' },
    ],
  ])('%o is a card of the chat', (content, fields) =>
    expect(card(content)).toMatchObject({ businessID: 'follow_up', v: 1, sendId: '12', materialType: content.type, ...fields }),
  );
  it.each<[MaterialContent, Partial<RenderFacts>]>([
    [{ type: 'IMAGE', fileId: '5' }, { image: null }],
    [{ type: 'QUESTIONNAIRE', questionnaireId: '9', validDays: 7 }, { questionnaire: null }],
    [{ type: 'MEDICINE_CARD', medicineId: '7', note: '' }, { medicine: null }],
  ])('what is gone makes no bubble: %o', (content, more) => expect(card(content, more)).toBeNull());
});
