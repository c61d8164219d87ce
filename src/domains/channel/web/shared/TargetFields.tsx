import { Button, Form, Input, Select } from 'antd';
import type { Target } from '../../contract/calls/codeFields.ts';
import { targetTypes, type TargetType } from '../../contract/dictionaries.ts';
import { InstantInput } from './days.tsx';
import { RefSelect } from './RefSelect.tsx';

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
  const target = Form.useWatch('target') as ContentValues['target'] | undefined;
  const type = target?.type;
  const url = target?.url?.trim() ?? '';
  return (
    <div className="ch-two">
      <Form.Item label="跳转目标" name={['target', 'type']} rules={[{ required: true, message: '请选择跳转目标' }]}>
        <Select placeholder="请选择" options={kinds} />
      </Form.Item>
      {type === 'MINI' ? (
        <>
          <Form.Item label="小程序AppID" name={['target', 'appId']} rules={[{ required: true, message: '请输入AppID' }]}>
            <Input maxLength={18} placeholder="wx…" />
          </Form.Item>
          <Form.Item label="页面路径" name={['target', 'path']} rules={[{ required: true, message: '请输入页面路径' }]}>
            <Input maxLength={200} placeholder="pages/index/index" />
          </Form.Item>
          <Form.Item label="版本" name={['target', 'env']}>
            <Select
              allowClear
              placeholder="正式版"
              options={[
                { value: 'release', label: '正式版' },
                { value: 'trial', label: '体验版' },
              ]}
            />
          </Form.Item>
        </>
      ) : (
        <Form.Item label={type === 'H5' ? '跳转地址' : '进入按钮的地址'} className="ch-wide" required={type === 'H5'}>
          <div className="kq-row">
            <Form.Item
              name={['target', 'url']}
              noStyle
              rules={[
                { required: type === 'H5', message: '请输入跳转地址' },
                { pattern: /^https:\/\//, message: '请输入https开头的跳转地址' },
              ]}
            >
              <Input maxLength={1000} placeholder="https://…（域名须在白名单内）" />
            </Form.Item>
            <Button disabled={!/^https:\/\/\S+$/.test(url)} onClick={() => window.open(url, '_blank', 'noopener,noreferrer')}>
              打开测试
            </Button>
          </div>
        </Form.Item>
      )}
      {type === 'DOCTOR' && (
        <Form.Item label="医生" name={['target', 'refId']} rules={[{ required: true, message: '请选择医生' }]}>
          <RefSelect type="DOCTOR" />
        </Form.Item>
      )}
      {type === 'SCENE' && (
        <Form.Item label="场景" name={['target', 'refId']} rules={[{ required: true, message: '请选择场景' }]}>
          <RefSelect type="SCENE" />
        </Form.Item>
      )}
      <Form.Item label="生效时间" name="validFrom">
        <InstantInput placeholder="不填为立即生效" />
      </Form.Item>
      <Form.Item label="失效时间" name="validTo">
        <InstantInput placeholder="不填为长期" />
      </Form.Item>
      <Form.Item
        label="扫码次数上限"
        name="scanLimit"
        getValueFromEvent={(event: { target: { value: string } }) => (event.target.value === '' ? null : Number(event.target.value))}
      >
        <Input type="number" min={1} placeholder="不填为不限" />
      </Form.Item>
      <Form.List name="pairs">
        {(entries, { add, remove }) => (
          <Form.Item label="附加参数" className="ch-wide">
            {entries.map((entry) => (
              <div key={entry.key} className="kq-row">
                <Form.Item
                  name={[entry.name, 'name']}
                  rules={[{ required: true, pattern: /^[a-z][a-zA-Z0-9]{0,19}$/, message: '以小写字母开头，最多20位字母或数字' }]}
                >
                  <Input placeholder="参数名" />
                </Form.Item>
                <Form.Item name={[entry.name, 'value']} rules={[{ required: true, message: '请输入参数值' }]}>
                  <Input maxLength={64} placeholder="参数值" />
                </Form.Item>
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
