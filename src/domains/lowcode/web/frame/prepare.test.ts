import { describe, expect, it } from 'vitest';
import { asText, prepared } from './prepare.ts';

describe('a definition on its way to the renderer', () => {
  it('says that values in texts are text', () => {
    expect(asText('无')).toBe('无');
    expect(asText('${name}')).toBe('${name | raw}');
    expect(asText('共${count}条，${name | truncate:10}')).toBe('共${count | raw}条，${name | truncate:10 | raw}');
    expect(asText('${IF(a, \'}\', "${")}后')).toBe('${IF(a, \'}\', "${") | raw}后');
    expect(asText('${{a: 1}.a}')).toBe('${{a: 1}.a | raw}');
    expect(asText('${a')).toBe('${a');
  });

  it('leaves what is shown as markup escaped', () => {
    const page = {
      type: 'page',
      body: [
        { type: 'plain', text: '${remark}' },
        { type: 'tpl', tpl: '<b>${remark}</b>' },
        { type: 'button', label: '查看${name}', actionType: 'dialog', dialog: { title: '${name}', body: { type: 'plain', tpl: '${a}' } } },
      ],
    };
    expect(prepared(page)).toMatchObject({
      body: [
        { text: '${remark | raw}' },
        { tpl: '<b>${remark}</b>' },
        { label: '查看${name | raw}', dialog: { title: '${name | raw}', body: { tpl: '${a | raw}' } } },
      ],
    });
  });

  it('sends to addresses by POST, and asks no page more often than every three seconds', () => {
    expect(prepared({ type: 'service', api: '/ds/a/list', interval: 500 })).toMatchObject({
      api: { method: 'post', url: '/ds/a/list' },
      interval: 3_000,
    });
  });
});
