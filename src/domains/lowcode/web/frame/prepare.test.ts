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

  it('names a field that must be filled where it is empty', () => {
    const form = {
      type: 'form',
      body: [
        { type: 'kq-money', name: 'theirAmount', label: '对方金额', required: true },
        { type: 'radios', name: 'resolution', label: '处理方式', required: true },
        { type: 'textarea', name: 'remark', label: '备注' },
      ],
    };
    expect(prepared(form)).toEqual({
      type: 'form',
      body: [
        { ...form.body[0], validationErrors: { isRequired: '请输入对方金额' } },
        { ...form.body[1], validationErrors: { isRequired: '请选择处理方式' } },
        form.body[2],
      ],
    });
  });

  it('sends to addresses by POST, and asks no page more often than every three seconds', () => {
    expect(prepared({ type: 'service', api: '/ds/a/list', interval: 500 })).toMatchObject({
      api: { method: 'post', url: '/ds/a/list' },
      interval: 3_000,
    });
  });

  it('shows the first line of a search with its buttons; the others are opened by who wants them', () => {
    const field = (name: string) => ({ type: 'input-text', name, label: name });
    const buttons = { type: 'button-toolbar', buttons: [{ type: 'submit', label: '查询' }] };
    const search = (...names: string[]) => ({
      className: 'kq-filter',
      body: [
        { type: 'group', body: names.slice(0, 2).map(field) },
        { type: 'group', body: [...names.slice(2).map(field), buttons] },
      ],
    });
    const filterOf = (filter: object) =>
      (prepared({ type: 'crud', filter }) as { filter: { body: { className?: string; body: object[] }[] } }).filter;
    expect(filterOf(search('a', 'b', 'c'))).toMatchObject(search('a', 'b', 'c'));
    const [first, ...more] = filterOf(search('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')).body;
    expect(first?.body).toMatchObject([
      field('a'),
      field('b'),
      field('c'),
      { buttons: [{ label: '查询' }, { type: 'kq-unfold', names: [...'defgh'] }] },
    ]);
    expect(more.map(({ className, body }) => [className, body.length])).toEqual([
      ['kq-more', 4],
      ['kq-more', 1],
    ]);
  });

  it('shows the product’s dash in an empty cell, unless the definition says what', () => {
    expect(prepared({ type: 'crud', columns: [{ name: 'a' }, { name: 'b', placeholder: '无' }, { type: 'operation' }] })).toMatchObject({
      columns: [{ name: 'a', placeholder: '—' }, { placeholder: '无' }, { type: 'operation' }],
    });
  });
});
