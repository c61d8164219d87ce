import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merged } from './merge.ts';

const base = {
  type: 'page',
  title: '旧',
  body: [
    { type: 'plain', text: 'a' },
    { type: 'plain', text: 'b' },
  ],
};

describe('two editors of one definition', () => {
  it('keep what only one of them changed', () => {
    const mine = { ...base, title: '我的', remark: '说明' };
    const theirs = { ...base, body: [base.body[0], { type: 'plain', text: '他的' }] };
    expect(merged(base, mine, theirs)).toEqual({
      value: { ...base, title: '我的', remark: '说明', body: [base.body[0], { type: 'plain', text: '他的' }] },
      conflicts: [],
    });
    const { title: _title, ...without } = base;
    expect(merged(base, without, theirs)).toEqual({ value: { type: 'page', body: theirs.body }, conflicts: [] });
  });

  it('are told of what both changed, of lists that grew on both sides, and of what one took away and the other changed', () => {
    expect(merged(base, { ...base, title: '我' }, { ...base, title: '他' })).toEqual({
      value: { ...base, title: '我' },
      conflicts: ['/title'],
    });
    const longer = (text: string) => ({ ...base, body: [...base.body, { type: 'plain', text }] });
    expect(merged(base, longer('我'), longer('他')).conflicts).toEqual(['/body']);
    const { title: _title, ...without } = base;
    expect(merged(base, without, { ...base, title: '他' })).toEqual({ value: without, conflicts: ['/title'] });
  });

  it('lose nothing: who changed nothing gets the other’s work, and both sides of it are alike', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (old, next) => {
        expect(merged(old, old, next)).toEqual({ value: next, conflicts: [] });
        expect(merged(old, next, old)).toEqual({ value: next, conflicts: [] });
        expect(merged(old, next, next).conflicts).toEqual([]);
      }),
    );
  });
});
