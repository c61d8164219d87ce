import { DatePicker, Form, Input, Select } from 'antd';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { dictionary } from '../../contract/dictionary.ts';
import { factsOf, field } from '../../contract/field.ts';
import { faultOf } from '../../contract/fieldRules.ts';
import { day, fen, id, optionalText, text } from '../../contract/fields.ts';
import { Upload } from '../files/Upload.tsx';
import { MoneyInput } from '../kit/MoneyInput.tsx';
import { RegionPicker } from '../kit/pickers.tsx';
import { TimeSelect } from '../kit/TimeSelect.tsx';
import { Field } from './Field.tsx';
import { verbOf, bounded, renamed, sentOf } from './fieldControl.ts';
import { NumberInput } from '../kit/NumberInput.tsx';

const levels = dictionary('level', { A: '甲级', B: '乙级' });
const fields = {
  name: text('名称', 30, 1),
  note: optionalText('备注', 100),
  hospitalId: field('医院', id),
  adcode: field('省市区', z.string().check(z.regex(/^\d{6}$/, '请选择正确的省市区'))),
  fileIds: field('凭证', z.array(id).check(z.minLength(1), z.maxLength(3, '最多3份凭证'))),
  proofIds: field('凭证', z.array(id).check(z.minLength(1, '请上传身故证明'))),
  scanId: field('扫描件', z.optional(id)),
  level: field('等级', z.optional(levels.schema)),
  opened: field('开业日期', z.optional(day)),
  cost: field('费用', z.optional(fen)),
  beds: field('床位', z.int('床位须为整数').check(z.minimum(1), z.maximum(5000))),
};
const input = z.strictObject(fields);

const uploaded = (fileId: string) => ({ fileId, fileName: '扫描.pdf', detectedType: 'application/pdf', size: 1, pageCount: 1 });

describe('an empty field', () => {
  it.each([
    ['name', <Input key="a" />, '请输入名称'],
    ['name', <Select key="b" />, '请选择名称'],
    ['beds', <NumberInput key="c" />, '请输入床位'],
    ['hospitalId', <Select key="d" />, '请选择医院'],
    ['adcode', <RegionPicker key="e" />, '请选择正确的省市区'],
    ['fileIds', <Upload key="f" purpose="PROOF" />, '请上传凭证'],
    ['proofIds', <Upload key="g" purpose="PROOF" />, '请上传身故证明'],
  ] as const)('%s asks for what its control takes', (key, control, said) => {
    expect(faultOf(fields[key], undefined, factsOf(input, key).label, verbOf(control))).toBe(said);
  });

  it('is typed into, chosen or uploaded', () => {
    const controls: readonly [ReactElement, string][] = [
      [<Input key="1" />, '输入'],
      [<Input.TextArea key="2" />, '输入'],
      [<Input.Password key="3" />, '输入'],
      [<MoneyInput key="4" />, '输入'],
      [<DatePicker key="5" />, '选择'],
      [<TimeSelect key="6" />, '选择'],
      [<Upload key="7" purpose="PROOF" />, '上传'],
    ];
    expect(controls.map(([control]) => verbOf(control))).toEqual(controls.map(([, act]) => act));
    const Own = (_: { purpose?: string }) => null;
    expect([verbOf(<Own />), verbOf(<Own />, 'number'), verbOf(<Select />, 'number'), verbOf(<Own purpose="PROOF" />)]).toEqual([
      '选择',
      '输入',
      '选择',
      '上传',
    ]);
  });
});

describe('the control of a field', () => {
  const shown = (item: ReactElement) => renderToStaticMarkup(<Form>{item}</Form>).match(/<(?:input|textarea)[^>]*>/)?.[0] ?? '';

  it('tells who cannot see the mark that it must be filled in, also where only the page demands it', () => {
    for (const name of ['note', 'level', 'opened', 'cost'] as const) {
      expect(shown(<Field of={input} name={name} required />)).toContain('aria-required="true"');
      expect(shown(<Field of={input} name={name} />)).not.toContain('aria-required');
    }
    expect(shown(<Field of={input} name="name" />)).toContain('aria-required="true"');
    expect(
      shown(
        <Field of={input} name="scanId" required>
          <Select />
        </Field>,
      ),
    ).toContain('aria-required="true"');
    expect(shown(<Field of={input} name="note" rules={[{ required: true, message: '请输入停用原因' }]} />)).toContain(
      'aria-required="true"',
    );
  });

  it('keeps to the bounds of the contract, a page’s own one too', () => {
    // Not by the browser, which would cut what is pasted without a word: the text stays, and the rule says how long it may be.
    expect(shown(<Field of={input} name="name" />)).not.toContain('maxLength');
    expect(bounded(<Input showCount maxLength={64} />, fields.name)).toMatchObject({
      props: { count: { max: 30, show: true }, maxLength: undefined },
    });
    expect(faultOf(fields.name, '甲'.repeat(31), '名称', '输入')).toBe('名称最多30个字符');
    expect(bounded(<NumberInput suffix="张" />, fields.beds)).toMatchObject({ props: { min: 1, max: 5000, suffix: '张' } });
    expect(bounded(<NumberInput max={10} />, fields.beds)).toMatchObject({ props: { min: 1, max: 10 } });
    expect(bounded(<Select />, fields.name)).toMatchObject({ props: {} });
  });
});

it('asks the contract about the ids of uploaded files, of one where the call takes one', () => {
  const files = [uploaded('7'), uploaded('8')];
  expect(sentOf(fields.fileIds, files)).toEqual(['7', '8']);
  expect(sentOf(fields.scanId, files.slice(0, 1))).toBe('7');
  expect(sentOf(fields.scanId, ['7'])).toBe('7');
  expect(sentOf(fields.scanId, [])).toBeUndefined();
  expect([[], null, ['7'], 'x'].map((value) => sentOf(fields.fileIds, value))).toEqual([[], null, ['7'], 'x']);
  expect(
    faultOf(
      fields.fileIds,
      sentOf(
        fields.fileIds,
        Array.from({ length: 4 }, () => uploaded('7')),
      ),
      '凭证',
      '上传',
    ),
  ).toBe('最多3份凭证');
});

it('calls a field what the page calls it', () => {
  expect(renamed('意见至少2个字符', '意见', '恢复原因')).toBe('恢复原因至少2个字符');
  expect(renamed('请选择目标内容', '目标内容', '医生')).toBe('请选择医生');
  expect(renamed('请输入菜单标题', '菜单标题', '标题')).toBe('请输入菜单标题');
  expect(renamed('地址过长', '链接地址', '链接')).toBe('地址过长');
});
