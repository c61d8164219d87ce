import { Field } from '#kernel/web/form/Field.tsx';
import { Button, Form, Input, Select } from 'antd';
import { param, target as targetOf, type Target } from '../../contract/calls/codeFields.ts';
import { targetTypes, type TargetType } from '../../contract/dictionaries.ts';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { RefSelect } from './RefSelect.tsx';
import { addQrCode } from '../../contract/calls/codes.ts';

export interface ContentValues {
  target: {
    type: TargetType;
    url?: string | null;
    appId?: string | null;
    path?: string | null;
    env?: 'release' | 'trial' | null;
    refId?: string | null;
  };
  pairs?: { name: string; value: string }[];
  validFrom?: string | null;
  validTo?: string | null;
  scanLimit?: number | null;
}

export const contentOf = (values: ContentValues) => ({
  target: {
    type: values.target.type,
    url: values.target.url?.trim() || null,
    appId: values.target.appId?.trim() || null,
    path: values.target.path?.trim() || null,
    env: values.target.env ?? null,
    refId: values.target.refId ?? null,
  } satisfies Target,
  params: Object.fromEntries((values.pairs ?? []).map(({ name, value }) => [name, value])),
  validFrom: values.validFrom ?? null,
  validTo: values.validTo ?? null,
  scanLimit: values.scanLimit ?? null,
});
export const contentValues = (code: {
  target: unknown;
  params: Record<string, string>;
  validFrom: string | null;
  validTo: string | null;
  scanLimit: number | null;
}): ContentValues => ({
  target: code.target as Target,
  pairs: Object.entries(code.params).map(([name, value]) => ({ name, value })),
  validFrom: code.validFrom,
  validTo: code.validTo,
  scanLimit: code.scanLimit,
});

/** Choices of an ordinary code; scene and live codes have pages of their own. */
const kinds = targetTypes.options.filter(({ value }) => value !== 'LIVE').map(({ value, label }) => ({ value, label }));

/** What a code opens, with parameters, dates and limit. */
export function TargetFields() {
  const target = Form.useWatch<ContentValues['target'] | undefined>('target');
  const type = target?.type;
  const url = target?.url?.trim() ?? '';
  return (
    <div className="ch-two">
      <Field of={targetOf} name="type" within={['target']}>
        <Select placeholder="请选择" options={kinds} />
      </Field>
      {type === 'MINI' ? (
        <>
          <Field of={targetOf} name="appId" within={['target']} required>
            <Input placeholder="wx…" />
          </Field>
          <Field of={targetOf} name="path" within={['target']} required placeholder="pages/index/index" />
          <Field of={targetOf} name="env" within={['target']}>
            <Select
              allowClear
              placeholder="正式版"
              options={[
                { value: 'release', label: '正式版' },
                { value: 'trial', label: '体验版' },
              ]}
            />
          </Field>
        </>
      ) : (
        <Form.Item label={type === 'H5' ? '跳转地址' : '进入按钮的地址'} className="ch-wide" required={type === 'H5'}>
          <div className="kq-row">
            <Field of={targetOf} name="url" within={['target']} noStyle required={type === 'H5'}>
              <Input placeholder="https://…（域名须在白名单内）" />
            </Field>
            <Button disabled={!/^https:\/\/\S+$/.test(url)} onClick={() => window.open(url, '_blank', 'noopener,noreferrer')}>
              打开测试
            </Button>
          </div>
        </Form.Item>
      )}
      {type === 'DOCTOR' && (
        <Field of={targetOf} name="refId" within={['target']} label="医生" required>
          <RefSelect type="DOCTOR" />
        </Field>
      )}
      {type === 'SCENE' && (
        <Field of={targetOf} name="refId" within={['target']} label="场景" required>
          <RefSelect type="SCENE" />
        </Field>
      )}
      <Field of={addQrCode} name="validFrom">
        <InstantInput placeholder="不填为立即生效" />
      </Field>
      <Field of={addQrCode} name="validTo">
        <InstantInput placeholder="不填为长期" />
      </Field>
      <Field of={addQrCode} name="scanLimit" placeholder="不填为不限" />
      <Form.List name="pairs">
        {(entries, { add, remove }) => (
          <Form.Item label="附加参数" className="ch-wide">
            {entries.map((entry) => (
              <div key={entry.key} className="kq-row">
                <Field of={param} name="name" within={[entry.name]} label={false} placeholder="参数名" />
                <Field of={param} name="value" within={[entry.name]} label={false} placeholder="参数值" />
                <Button type="link" danger onClick={() => remove(entry.name)}>
                  移除
                </Button>
              </div>
            ))}
            <Button type="dashed" disabled={entries.length >= 10} onClick={() => add()}>
              添加参数
            </Button>
          </Form.Item>
        )}
      </Form.List>
    </div>
  );
}
